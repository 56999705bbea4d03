"""`check --output-format html` in a real browser: findings by input and by rule.

Comes in: pages that the command writes. Goes out: a failure where one does something else, or where
the browser complains of anything. Without a Chromium they are skipped.
"""

import pytest

import hostile
from browser import ACTIVE, LABELS, begin_with
from cli_answers import CONTROLS, HEAD


@pytest.fixture
def checked(browser, call, here):
    """The page of `check` over some files."""
    pages = []

    def checked(*names):
        call("check", *names, "--notes", "--output-format", "html=findings.html")
        pages.append(browser.open(here / "findings.html"))
        return pages[-1]

    yield checked
    assert [page.complaints() for page in pages] == [[]] * len(pages)


BY_INPUT = [
    "all.json, 1 error, 1 warning, 1 note",
    "error root-not-application: ",
    "note blank-title: ",
    "warning empty-children: ",
    "warned.json, 1 warning",
    "warning false-state: ",
    "gone.json, could not be checked: No such file or directory",
]


def test_findings_stand_below_their_inputs(checked):
    page = checked("all.json", "clean.json", "warned.json", "gone.json")
    assert begin_with(page.value(LABELS), BY_INPUT)
    assert begin_with([page.value(ACTIVE)], BY_INPUT[:1])
    page.press("ArrowDown", "ArrowDown")
    told = page.value("document.querySelector('.details').innerText")
    assert "blank-title" in told
    assert "all.json:1:" in told
    assert "How to fix it" in told
    page.press("/", "warned.json")
    assert begin_with(page.value(LABELS), BY_INPUT[4:6])


def test_findings_stand_below_their_rules(checked):
    page = checked("all.json", "warned.json", "gone.json")
    page.press("/", "false", "Enter")
    page.value(
        "[...document.querySelectorAll('.switch')].find(a => a.textContent == 'by rule').click()"
    )
    assert begin_with(page.value(LABELS), ["false-state, 1 warning", "warning false-state"])
    page.press("Escape")
    groups = "[...document.querySelectorAll('[aria-level=\"1\"]')].map(row => row.ariaLabel)"
    assert begin_with(
        page.value(groups),
        [
            BY_INPUT[-1],
            "root-not-application, 1 error",
            "blank-title, 1 note",
            "false-state, 1 warning",
            "empty-children, 1 warning",
        ],
    )


def test_what_was_not_kept_is_told(checked, here):
    child = '{"id":"a","role":"Row","hovered":false}'
    (here / "many.json").write_text(HEAD + ',"children":[' + ",".join([child] * 150) + "]}}")
    page = checked("many.json")
    assert page.value(LABELS)[0].endswith("199 more findings not kept")
    page.value(
        "[...document.querySelectorAll('.switch')].find(a => a.textContent == 'by rule').click()"
    )
    page.press("End")
    assert page.value(ACTIVE) == "many.json, 199 more findings not kept"


def test_a_page_without_findings_says_so(checked):
    page = checked("clean.json")
    assert "passed: 1 answer, no findings" in page.value("document.body.innerText")


def test_hostile_inputs_do_nothing_in_a_list_either(checked, here):
    (here / "<img src=x onerror=alert(1)>.json").write_text(hostile.answer())
    page = checked("<img src=x onerror=alert(1)>.json")
    for _ in range(5):
        page.press("PageDown")
        assert not CONTROLS.search(page.value("document.body.innerText"))
    assert page.value("document.querySelectorAll('img, iframe, a, style, script').length") == 3
