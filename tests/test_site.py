"""The documentation site: its reference is whole, and its checker sees what is wrong.

Comes in: `docs/`, `mkdocs.yml`, small sites made here. Goes out: a failure where a public name has
no place in the reference, `tools/check_site.py` lets something pass, or the search would find no
worker on a disk. The site itself is built and looked at by `make docs`.
"""

import re
from pathlib import Path

import pytest
import yaml

import check_site
import elementguard

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_every_public_name_is_in_the_reference_once():
    told = [
        name
        for page in sorted((DOCS / "api").glob("*.md"))
        for name in re.findall(r"^::: elementguard\.(\w+)$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(told) == sorted(elementguard.__all__)


def test_every_page_is_in_the_navigation_once():
    pages = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert sorted(named(yaml.safe_load(text)["nav"])) == sorted([*pages, "rules"])


def named(nav):
    found = []
    for entry in nav:
        (value,) = entry.values()
        found += [value] if isinstance(value, str) else named(value)
    return found


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Writes a page into a site that is sound without it; what the checker says then."""
    monkeypatch.setattr(elementguard, "__all__", ["check"])
    monkeypatch.setattr(check_site.cards, "load", list)
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "calls.html").write_text('<h2 id="elementguard.check">check</h2>')
    (tmp_path / "here.svg").write_text("<svg/>")

    def site(text, name="page.html"):
        (tmp_path / name).write_text(text)
        return check_site.main([str(tmp_path)])

    return site


@pytest.mark.parametrize(
    "page",
    [
        '<a href="api/calls.html#elementguard.check">one</a>',
        '<a href="https://example.org/a">away</a><a href="mailto:a@example.org">mail</a>',
        '<p id="a%20b"><a href="#a%2520b">here</a><a name="c"></a><a href="#c">here</a>',
        '<img src="here.svg"><img src="data:image/png;base64,AA=="><link rel="next" href="/x">',
        "<style>p { background: url(here.svg) }</style>",
    ],
)
def test_a_sound_page_passes(site, page, capsys):
    assert site(page) == 0
    assert capsys.readouterr().out.endswith(" 0 wrong\n")


@pytest.mark.parametrize(
    "page, said",
    [
        ('<a href="gone.html">x</a>', "the link gone.html leads nowhere"),
        ('<a href="api/calls.html#no">x</a>', "the link api/calls.html#no leads nowhere"),
        ('<a href="#no">x</a>', "the link #no leads nowhere"),
        ('<a href="//example.org/a">x</a>', "the link //example.org/a leads nowhere"),
        ('<script src="https://example.org/a.js"></script>', "https://example.org/a.js is not"),
        ('<link rel="icon" href="//example.org/i.png">', "//example.org/i.png is not"),
        ('<img src="gone.svg">', "gone.svg is not a file of the site"),
        ("<style>@import 'https://example.org/a.css'</style>", "https://example.org/a.css is not"),
        ('<p style="background: url(https://example.org/a)">', "https://example.org/a is not"),
        ('<a href="here.svg" data-md-component="source">x</a>', "what source fetches is not"),
    ],
)
def test_what_is_wrong_with_a_page_is_said(site, page, said, capsys):
    assert site(page) == 1
    assert f"page.html: {said}" in capsys.readouterr().out


def test_a_style_that_loads_from_elsewhere_is_seen(site, capsys):
    assert site("p { background: url('https://example.org/a.png') }", "a.css") == 1
    assert "a.css: https://example.org/a.png is not" in capsys.readouterr().out


def test_names_and_rules_without_a_place_are_seen(site, monkeypatch, capsys):
    monkeypatch.undo()
    assert site("") == 1
    told = capsys.readouterr().out
    assert "the reference lacks Validator\n" in told
    assert "focus-gap has no page\n" in told


def test_a_frame_stands_for_a_worker_where_a_page_lies_on_a_disk(browser, tmp_path):
    (tmp_path / "frame.js").write_text((DOCS / "assets" / "iframe-worker.js").read_text("utf-8"))
    (tmp_path / "worker.js").write_text(
        "addEventListener('message', (event) => postMessage(event.data.map((n) => n * 2)))"
    )
    (tmp_path / "page.html").write_text(
        "<!doctype html><body><script src='frame.js'></script><script>"
        "const worker = new Worker('worker.js');"
        "worker.addEventListener('message', (event) => { document.title = event.data.join() });"
        "worker.postMessage([3, 4]);</script>"
    )
    page = browser.open(tmp_path / "page.html")
    page.until("document.title === '6,8'")
