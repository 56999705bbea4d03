"""`show --html` in a real browser: what is drawn, the keyboard, search, hostile answers.

Every test ends with a look at what the browser complained of: errors, broken policies, dialogs,
requests. Where no Chromium is found they are skipped; what is in a page is then still held by
test_cli_pages.py. The other pages: test_cli_browser_sizes.py, test_cli_browser_check.py.
"""

import json
import re

import pytest

import hostile
from browser import ACTIVE, COUNT, LABELS, begin_with, many
from cli_answers import CONTROLS, HEAD

TREE = f"""{HEAD},"title":"Notes","children":[
{{"id":"w-1","role":"Window","focused":true,"children":[
{{"id":"d-1","role":"Document","title":"Day 3","focused":true,"hovered":true}},
{{"id":"d-2","role":"Cardd","visible":false,"children":[
{{"id":"d-3","role":"Image","title":"A ford","selected":true}},
{{"id":"d-4","role":"Row","title":"A heron","selected":true,"titel":"x"}}]}},
{{"id":"d-5","role":"Row","title":""}}]}}]}}}}
"""
ROWS = [
    'Application #app, "Notes"',
    "Window #w-1, focused",
    'Document #d-1, "Day 3", position, pointer',
    "Group #d-2, not on screen",
    'warning unknown-role: The role "Cardd" is none of the thirteen; a receiver reads it as Group.',
    'Image #d-3, "A ford", selected, not on screen',
    'Row #d-4, "A heron", selected, not on screen',
    "warning unknown-member: ",
    'Row #d-5, ""',
    "note blank-title: ",
]
# --- the tree ---


def test_every_row_is_called_by_what_it_is(opened):
    page = opened(TREE)
    assert begin_with(page.value(LABELS), ROWS)
    levels = "[...document.querySelectorAll('[role=treeitem]')].map(row => row.ariaLevel)"
    assert page.value(levels) == list("1233444534")
    assert page.value(ACTIVE) == ROWS[0]
    assert page.value("document.activeElement.getAttribute('role')") == "tree"


@pytest.mark.parametrize(
    "keys, row",
    [
        (["ArrowDown"], 1),
        (["ArrowUp"], 0),
        (["End"], 9),
        (["End", "Home"], 0),
        (["PageDown"], 9),
        (["PageDown", "PageUp"], 0),
        (["ArrowRight", "ArrowRight"], 2),
        (["End", "ArrowLeft"], 8),
        (["End", "ArrowLeft", "ArrowLeft", "ArrowLeft"], 1),
        (["ArrowDown", "ArrowLeft", "ArrowDown"], 1),
        (["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight"], 2),
        (["ArrowDown", "Enter", "ArrowDown"], 1),
        (["ArrowDown", " ", " ", "ArrowDown"], 2),
        (["ArrowDown", "Enter", "*", "ArrowDown"], 2),
        (["d"], 2),
        (["i"], 5),
        (["r"], 6),
        (["q"], 0),
    ],
)
def test_the_keyboard_goes_everywhere(opened, keys, row):
    page = opened(TREE)
    page.press(*keys)
    assert begin_with([page.value(ACTIVE)], [ROWS[row]])


def test_a_word_leads_to_its_row(opened):
    page = opened(TREE)
    script = """for (const key of "row #d-5") document.querySelector("[role=tree]")
        .dispatchEvent(new KeyboardEvent("keydown", {key}))"""
    page.value(script)  # at once: between two letters of a word there is little time
    assert page.value(ACTIVE) == ROWS[8]
    assert len(page.value(LABELS)) == len(ROWS)


def test_a_fold_hides_what_is_inside_and_counts_its_findings(opened):
    page = opened(TREE)
    page.press("ArrowDown", "ArrowLeft")
    assert page.value(LABELS) == ROWS[:2]
    folded = "document.querySelectorAll('.row')[1]"
    assert page.value(f"{folded}.ariaExpanded") == "false"
    pills = f"[...{folded}.querySelectorAll('.pill')].map(one => one.className + one.textContent)"
    assert page.value(pills) == ["pill warning2", "pill note1"]


def test_search_leaves_what_matches_and_what_leads_there(opened):
    page = opened(TREE)
    page.press("/", "a HERON")
    assert begin_with(page.value(LABELS), [ROWS[at] for at in (0, 1, 3, 6, 7)])
    assert page.value("document.querySelector('mark').textContent") == "A"
    assert page.value(COUNT) == "1 of 1"
    page.press("Escape")
    assert len(page.value(LABELS)) == len(ROWS)
    assert page.value(ACTIVE) == ROWS[6]
    page.press("/", "row", "Enter")
    assert page.value(COUNT) == "2 of 2"
    assert page.value(ACTIVE) == ROWS[8]
    page.press("Enter")
    assert page.value(ACTIVE) == ROWS[6]
    page.press("Escape", "/", "nothing at all")
    assert (page.value(LABELS), page.value(COUNT)) == ([], "no match")


def test_levels_are_filters(opened):
    page = opened(TREE)
    page.value("document.querySelector('.switch.note').click()")
    assert begin_with(page.value(LABELS), [ROWS[at] for at in (0, 1, 8, 9)])
    page.value("document.querySelector('.switch.warning').click()")
    assert page.value(COUNT) == "1 of 3"
    page.press("/", "titel")
    assert begin_with(page.value(LABELS), [ROWS[at] for at in (0, 1, 3, 6, 7)])
    page.value("document.querySelectorAll('.switch.warning, .switch.note').forEach(a => a.click())")
    page.press("Escape")
    assert len(page.value(LABELS)) == len(ROWS)
    assert page.value("document.querySelector('.switch.error').disabled")


def test_there_are_ways_to_where_the_user_is(opened):
    page = opened(TREE)
    every = "[...document.querySelectorAll('.switch')]"
    press = f"{every}.find(one => one.textContent.startsWith('%s')).click()"
    page.value(press % "Fold")
    assert len(page.value(LABELS)) == 2
    for name, row in ("selected", 5), ("selected", 6), ("selected", 5), ("pos", 2), ("poi", 2):
        page.value(press % name)
        assert page.value(ACTIVE) == ROWS[row]


def test_details_tell_all_of_it(opened, engine):
    page = opened(TREE)
    page.press("End", "ArrowUp", "ArrowUp")
    told = page.value("document.querySelector('.details').innerText")
    assert "/root/children/0/children/1/children/1/titel" in told
    line, column = engine.check(TREE).findings[1].line_and_column(TREE)
    assert f"line {line}, column {column}" in told
    assert "What it says" in told
    assert "How to fix it" in told
    page.value("document.querySelectorAll('.step')[3].click()")
    told = page.value("document.querySelector('.details').innerText")
    assert re.search(r"pointer\s+/root/children/0/children/1/children/1\n", told)


def test_where_there_is_no_tree_there_are_findings(opened):
    page = opened("[", code=1)
    assert begin_with(page.value(LABELS), ["error json-truncated: "])


# --- large ones ---


def test_only_rows_in_sight_are_there(opened):
    page = opened(many(26_000))
    count = "document.querySelectorAll('.row').length"
    assert page.value(count) < 60
    page.press("End")
    assert page.value(ACTIVE) == "Cell #c-12999"
    page.value("document.querySelector('.rows').scrollTop = 100000")
    page.drawn()
    assert page.value(ACTIVE) == "Cell #c-12999"
    assert page.value(count) < 60
    page.press("/", f"word {12_999 * 7919}")
    assert page.value(LABELS)[1:] == ['Row #r-12999, "Row 12999"', "Cell #c-12999"]


def test_rows_may_be_higher_than_a_browser_lays_out(opened):
    page = opened(many(26_000))
    page.value("document.documentElement.style.setProperty('--row', '400px')")
    page.press("End")
    assert page.value(ACTIVE) == "Cell #c-12999"
    assert page.value("document.querySelector('.rows').scrollHeight") < 26_000 * 400
    edges = "(({top, bottom}) => [top, bottom])(%s.getBoundingClientRect())"
    box = page.value(edges % "document.querySelector('.rows')")
    active = page.value(edges % "document.querySelector('[aria-selected=true]')")
    assert active[1] == pytest.approx(box[1], abs=2)
    for keys in (["ArrowUp", "ArrowUp", "ArrowUp"], ["Home", "/", "r-7000", "Escape"]):
        page.press(*keys)
        top, bottom = page.value(edges % "document.querySelector('[aria-selected=true]')")
        assert box[0] - 2 <= top < bottom <= box[1] + 2


# --- what is hostile ---


def test_a_hostile_answer_does_nothing(opened):
    page = opened(hostile.answer(), code=1)
    for _ in range(12):
        page.press("PageDown")
        assert not CONTROLS.search(page.value("document.body.innerText"))
    page.press("/", "<img src=x onerror=alert(1)>")
    assert page.value(COUNT).startswith("1 of ")
    assert page.value("document.querySelectorAll('img, iframe, a, style, script').length") == 3
    names = "[...new Set([...document.querySelectorAll('*')].flatMap(a => a.getAttributeNames()))]"
    assert not [name for name in page.value(names) if name.startswith("on") or name == "href"]


def test_a_script_that_somebody_adds_does_not_run(browser, call, here):
    call("show", "clean.json", "--html", "page.html")
    html = (here / "page.html").read_text("ascii")
    added = (
        "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"
    )
    (here / "other.html").write_text(html.replace("<body>", f"<body>{added}"))
    page = browser.open(here / "other.html")
    assert "owned" not in page.value("document.title")
    told = [params["entry"]["text"] for _, params in page.complaints() if "entry" in params]
    assert len([text for text in told if "Content Security Policy" in text]) >= 2


# --- for everybody ---


@pytest.mark.parametrize("width", [320, 700, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("command, box", [("show", ".rows"), ("sizes", ".icicle")])
def test_it_fits(opened, width, scheme, command, box):
    page = opened(TREE, command, width=width, height=568, scheme=scheme)
    assert page.value("document.documentElement.scrollWidth") == width
    ground = page.value("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    assert page.value(f"document.querySelector('{box}').clientHeight") >= 110


def test_everything_one_can_reach_has_a_name(opened):
    page = opened(TREE)
    page.call("Accessibility.enable")
    told = page.call("Accessibility.getFullAXTree")["nodes"]
    facts = [
        (one["role"]["value"], one["name"]["value"], properties(one))
        for one in told
        if not one["ignored"] and "name" in one
    ]
    focusable = [(role, name) for role, name, has in facts if has.get("focusable")]
    assert all(name for _, name in focusable)
    assert ("tree", "Elements") in focusable
    assert ("searchbox", "Search elements and findings") in focusable
    assert {"heading", "treeitem", "button", "searchbox", "tree"} <= {role for role, _, _ in facts}


def properties(one):
    return {has["name"]: has["value"].get("value") for has in one.get("properties", [])}


def test_data_that_is_json_is_json(opened):
    page = opened(TREE)
    data = page.value("document.getElementById('data').textContent")
    assert json.loads(data)["head"]["name"] == "answer.json"
