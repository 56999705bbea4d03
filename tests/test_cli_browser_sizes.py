"""`sizes --html` in a real browser: bars, keyboard, table.

Comes in: pages that the command writes. Goes out: a failure where one does something else, or where
the browser complains of anything. Without a Chromium they are skipped.
"""

import json

import pytest

from browser import many, text

PIECES = "[...document.querySelectorAll('.piece')].map(piece => piece.ariaLabel)"
HERE = "document.activeElement.ariaLabel"


def weighed():
    """A root with a heavy, a light and many tiny elements; and one that holds two."""
    heavy = {"id": "h", "role": "Document", "content": [text("x" * 6000)]}
    inner = [{"id": f"i-{at}", "role": "Row", "title": "y" * 600} for at in range(2)]
    light = {"id": "l", "role": "List", "title": "Light", "children": inner}
    tiny = [{"id": f"t-{at}", "role": "Cell"} for at in range(300)]
    root = {"id": "app", "role": "Application", "children": [*tiny, light, heavy]}
    return json.dumps({"protocol": "0.2.0", "instance": "k3f9x2", "root": root})


def test_bars_are_as_wide_as_they_are_heavy(opened, engine):
    page = opened(weighed(), "sizes")
    answer = engine.load(weighed())
    width = page.value("document.querySelector('.icicle').clientWidth")
    drawn = "[...document.querySelectorAll('.piece')].map(piece => piece.offsetWidth)"
    whole = answer.root.size.bytes
    wanted = [answer[name].size.bytes / whole * width for name in ("app", "h", "l")]
    assert page.value(drawn)[:3] == pytest.approx(wanted, abs=1)
    told = page.value(PIECES)
    assert told[0] == f"Application #app, {whole:,} bytes"
    assert told[1].startswith("Document #h, 6,")
    assert told[3].startswith("300 smaller ones in Application #app")
    assert [one.split(",")[0] for one in told[4:]] == [
        f"Row #i-{at} {'y' * 297}..." for at in range(2)
    ]


@pytest.mark.parametrize(
    "keys, name",
    [
        ("ArrowDown", "Document #h"),
        ("ArrowDown ArrowRight", "List #l Light"),
        ("ArrowDown ArrowRight ArrowDown ArrowRight", "Row #i-1"),
        ("ArrowDown ArrowRight ArrowDown ArrowUp", "List #l Light"),
        ("ArrowDown End", "300 smaller ones"),
        ("ArrowDown End Home", "Document #h"),
        ("ArrowDown ArrowRight ArrowLeft", "Document #h"),
        ("ArrowUp", "Application #app"),
        ("ArrowDown ArrowRight Enter", "List #l Light"),
        ("ArrowDown ArrowRight Enter ArrowUp", "List #l Light"),
        ("ArrowDown ArrowRight Enter Escape", "Application #app"),
        ("ArrowDown ArrowRight Enter Enter", "Application #app"),
        ("Enter", "Application #app"),
    ],
)
def test_the_keyboard_goes_along_the_bars(opened, keys, name):
    page = opened(weighed(), "sizes")
    page.press(*keys.split())
    assert page.value(HERE).startswith(name)
    assert page.value("document.querySelectorAll('.piece[tabindex=\"0\"]').length") == 1


def test_going_in_shows_what_it_holds(opened):
    page = opened(weighed(), "sizes")
    rows = "[...document.querySelectorAll('tbody tr')].map(row => row.cells[0].textContent)"
    assert page.value(rows)[:3] == ["itself", "Document #h", "List #l Light"]
    assert len(page.value(rows)) == 1 + 200
    page.value("document.querySelector('table + button').click()")
    assert len(page.value(rows)) == 1 + 302
    assert not page.value("document.querySelector('table + button')")
    page.value("document.querySelectorAll('.piece')[2].click()")
    assert [one[:8] for one in page.value(rows)] == ["itself", "Row #i-0", "Row #i-1"]
    assert page.value("document.querySelector('[aria-current]').textContent") == "List#l"
    page.value("document.querySelector('.step').click()")
    assert len(page.value(PIECES)) == 6


def test_measures_can_be_switched(opened):
    page = opened(weighed(), "sizes", "--by", "elements")
    pressed = "document.querySelector('[aria-pressed=true]').textContent"
    assert page.value(pressed) == "elements"
    assert page.value(PIECES)[0] == "Application #app, 305 elements"
    page.value(
        "[...document.querySelectorAll('.switch')].find(a => a.textContent === 'text').click()"
    )
    assert page.value(pressed) == "text"
    assert page.value(PIECES) == [
        "Application #app, 6,000 text bytes",
        "Document #h, 6,000 text bytes, 100 %",
    ]


def test_sizes_of_many(opened):
    page = opened(many(26_000), "sizes")
    assert page.value("document.querySelectorAll('*').length") < 2000
    assert page.value(PIECES)[1].startswith("13,000 smaller ones in Application #app")
