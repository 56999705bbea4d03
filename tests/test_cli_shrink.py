"""The command line: `shrink`: the smallest answer with the same finding, and nobody's words in it.

Comes in: a vector of each rule, and answers far larger than what is wrong with them. Goes out: a
failure where the finding got lost or became another one, where a word of the input stayed untold,
or where more was tried than was promised.
"""

import gzip
import json
import random
from pathlib import Path

import pytest

from cli_answers import CLEAN, CONTROLS, HEAD, WARNED, WRONG, unread
from elementguard._python import fewer
from elementguard._python.pieces import Pieces, blanks
from elementguard._python.places import Places
from elementguard._shrink import NotFoundError, shrink
from written_reports import vectors

FAULTY = Path(__file__).parent.parent / "examples" / "notes-faulty.json"
START = '{"protocol":"0.2.0","instance":"a","root":{"id":"b","role":"Application"'
OF_FAULTY = {
    "duplicate-id": ',"children":[{"id":"c","role":"Document"},{"id":"c","role":"Document"}]}}',
    "empty-children": ',"children":[]}}',
    "false-state": ',"children":[{"id":"c","role":"d","selected":false}]}}',
    "focus-gap": ',"children":[{"id":"c","role":"Document",'
    '"children":[{"id":"d","role":"Text","focused":true}]}]}}',
    "furniture-role": ',"children":[{"id":"c","role":"Toolbar"}]}}',
    "malformed-base64": ',"children":[{"id":"c","role":"d",'
    '"content":[{"type":"image","mimeType":"image/png","data":"data:"}]}]}}',
    "malformed-id": ',"children":[{"id":"","role":"Text"}]}}',
    "unknown-member": ',"children":[{"id":"c","role":"d","tte":"f"}]}}',
}


def own(rule):
    """The smallest vector that breaks a rule, and one that takes more."""
    of_rule = [one for one in vectors() if one.name.startswith(f"{rule}/")]
    broken = [one for one in of_rule if rule in one.report["counts"]]
    broken = sorted((one for one in broken if one.report["way"] == "bytes"), key=size)
    broken = broken[:1] + [one for one in broken[1:] if size(one) < 1_000]
    return broken[:1] + broken[-1:]


def is_json(data):
    try:
        json.loads(data.decode())  # of bytes it would guess how they are encoded
    except ValueError:
        return False
    return True


def size(vector):
    return len(vector.file)


RULES = sorted({one.name.split("/")[0] for one in vectors()} - {"clean", "interplay", "levels"})
OWN = [pytest.param(rule, one, id=one.name) for rule in RULES for one in own(rule)]


# --- what it gives ---


@pytest.mark.parametrize("rule, vector", OWN)
def test_a_vector_of_each_rule_shows_it_still_and_no_other(engine, rule, vector):
    validator, data = vector.validator(engine), vector.file
    shrunk = shrink(validator, data, rule)
    assert shrunk.is_least
    assert len(shrunk.data) <= len(data)
    before, after = validator.check(data), shrunk.report
    assert after == validator.check(shrunk.data)
    assert after.counts.keys() <= before.counts.keys()
    same = [dict(one.params) for one in after.findings if one.code == rule]
    first = next(dict(one.params) for one in before.findings if one.code == rule)
    for name in {"reason", "expected", "found", "suggestion", "recognised"} & first.keys():
        assert first[name] in [one[name] for one in same]
    assert is_json(shrunk.data) >= is_json(data) or rule == "json-truncated"
    again = shrink(validator, shrunk.data, rule)
    assert (again.data, again.kept) == (shrunk.data, shrunk.kept)


def test_both_engines_give_the_same(engines):
    from elementguard import Validator, _calls, _engine

    given = []
    for name in engines:
        _calls.use(_engine.load(name))
        given.append([shrink(Validator(), FAULTY.read_bytes(), code) for code in OF_FAULTY])
    _calls.use(_engine.core)
    assert given[0] == given[1]


@pytest.mark.parametrize("code, end", OF_FAULTY.items())
def test_what_is_left_of_an_answer_with_many_faults(call, code, end):
    got, out, err = call("shrink", FAULTY, "--code", code)
    assert (got, out) == (0, START + end)
    verdict = err.splitlines()[-1]
    assert verdict.startswith(f"shrunk: {size_of(FAULTY)} bytes to {len(out)}, ")


def size_of(file):
    return file.stat().st_size


def large(faulty):
    """Rows in rows, one of them with this in it."""
    rows = [
        {
            "id": f"secret-{number}",
            "role": "Row",
            "title": f"A secret {number}",
            "children": [{"id": f"secret-{number}-{at}", "role": "Cell"} for at in range(9)],
        }
        for number in range(150)
    ]
    rows[111]["children"][5] |= faulty
    root = {"id": "secret-app", "role": "Application", "title": "Secret", "children": rows}
    return json.dumps({"protocol": "0.2.0", "instance": "secret", "root": root}, indent=2)


@pytest.mark.parametrize(
    "faulty, code, left_and_kept",
    [
        ({"title": "a secret\nof two lines"}, "multiline-title", ('"title":"x\\n"', [])),
        ({"url": "javascript:secret()"}, "script-uri", ('"url":"javascript:x"', ["javascript:x"])),
        ({"selected": 17, "secret": 1}, "wrong-type", ('"selected":0', [])),
        ({"secret": {"deep": ["secret"]}}, "unknown-member", ('"xxx":{}', [])),
        ({"attributes": {"secret": 2**70}}, "imprecise-number", (None, [])),
    ],
)
def test_no_word_of_a_large_answer_is_left_but_those_that_are_told(
    call, here, faulty, code, left_and_kept
):
    left, kept = left_and_kept
    (here / "large.json").write_text(large(faulty))
    got, out, err = call("shrink", "large.json", "--code", code)
    assert got == 0
    assert len(out) < 180
    assert left is None or left in out
    assert "ecret" not in out
    *lines, verdict = err.splitlines()
    told = [line.split('"')[1] for line in lines]
    assert told == kept or (left is None and len(told) == 1)
    tries = int(verdict.split(" answers tried")[0].split()[-1])
    assert tries < 500


@pytest.mark.parametrize(
    "text, code, left",
    [
        (large({}).replace('"secret-7"', '"secret-7', 1), "json-syntax", None),
        (large({})[:60_000], "json-truncated", b""),
        ('{"a":[1,2,{"b":tru}],"secret":"me"}', "json-syntax", b"t}"),
        ('{"secret": "me", "x": [1, 2,]}', "json-syntax", b"[0,]"),
        ("[" * 450 + " secret", "json-syntax", b"x"),
        ('{"secret": "me\\uZZ"}', "json-syntax", b'"\\x'),
        (b'{"secret":"me\xff"}', "json-encoding", b"\xff"),
    ],
)
def test_what_is_no_json_is_cut_too(engine, text, code, left):
    data = text.encode() if isinstance(text, str) else text
    shrunk = shrink(engine.Validator(), data, code)
    assert left is None or shrunk.data == left
    assert len(shrunk.data) < 10
    assert shrunk.is_least
    reasons = [
        [dict(one.params) for one in engine.check(one).findings] for one in (data, shrunk.data)
    ]
    assert reasons[0] == reasons[1]


def test_elements_that_only_lead_to_others_go_and_nothing_recurses(engine):
    text = HEAD + ',"children":['
    for number in range(2_000):
        text += f'{{"id":"g-{number}","role":"Group","children":['
    text += '{"id":"x-1","role":"Row","hovered":false}' + "]}" * 2_001 + "}"
    validator = engine.Validator(limits=engine.Limits(nesting=None))
    shrunk = shrink(validator, text.encode(), "false-state")
    wanted = START + ',"children":[{"id":"c","role":"Row","hovered":false}]}}'
    assert shrunk.data.decode() == wanted


def test_as_many_stay_as_are_needed(engine):
    row = '{{"id":"x-{0}","role":"Row","title":"{0}"}}'
    rows = ",".join(row.format(number) for number in range(300))
    validator = engine.Validator(limits=engine.Limits(children=40))
    data = f'{HEAD},"children":[{rows}]}}}}'.encode()
    shrunk = shrink(validator, data, "limit-children")
    assert shrunk.data.count(b'"Row"') == 41
    assert shrunk.tries < 550


def test_nothing_gets_longer_for_want_of_letters(engine):
    ids = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    rows = ",".join(f'{{"id":"{name}","role":"Row"}}' for name in ids)
    data = f'{START},"children":[{rows}]}}}}'.encode()
    validator = engine.Validator(limits=engine.Limits(children=35))
    assert len(shrink(validator, data, "limit-children").data) == len(data)


def test_what_breaks_no_rule_any_more_may_not_break_it_again(engine):
    block = '{"id":"x-%d","role":"Image","content":[{"type":"image","mimeType":"%s","data":"%s"}]}'
    rows = block % (1, "nonsense", "AAAA"), block % (2, "image/x-secret", "%%secret%%")
    data = f'{HEAD},"children":[{",".join(rows)}]}}}}'.encode()
    shrunk = shrink(engine.Validator(), data, "malformed-base64")
    assert list(shrunk.report.counts) == ["malformed-base64"]
    assert b"secret" not in shrunk.data
    assert b'"mimeType":"image/x"' in shrunk.data


def test_long_texts_are_cut_at_their_ends(engine):
    data = f'{HEAD},"title":"{"A secret. " * 90}"}}}}'.encode()
    validator = engine.Validator(limits=engine.Limits(title_characters=400))
    shrunk = shrink(validator, data, "limit-title")
    assert shrunk.data.count(b"x") >= 250
    assert len(shrunk.data) == len(START) + 9 + 1 + 401 + 3
    assert shrunk.tries < 100


def test_ids_still_lead_where_they_led(engine):
    related = ',"attributes":{"related":[{"relation":"of","id":"gone-1"}]},"title":"gone-1"'
    data = (HEAD + related + "}}").encode()
    shrunk = shrink(engine.Validator(), data, "dangling-related")
    assert b'"related":[{"relation":"' in shrunk.data
    assert b"gone" not in shrunk.data


# --- how much is tried ---


def test_the_work_is_bounded_and_it_is_said_where_it_stopped(engine, monkeypatch):
    rows = ",".join(f'{{"id":"secret-{number}","role":"Row"}}' for number in range(400))
    data = f'{HEAD},"children":[{rows}]}}}}'.encode()
    validator = engine.Validator(limits=engine.Limits(children=300))
    monkeypatch.setattr(fewer, "BYTES", 0)
    shrunk = shrink(validator, data, "limit-children")
    assert not shrunk.is_least
    assert shrunk.tries * 4_000 < fewer.TIMES * len(data)
    assert b"secret" not in shrunk.data  # the texts have their turn all the same
    monkeypatch.setattr(fewer, "BYTES", 1 << 30)
    monkeypatch.setattr(fewer, "TRIES", 50)
    shrunk = shrink(validator, data, "limit-children")
    assert not shrunk.is_least
    assert shrunk.tries <= 50


def test_a_search_that_was_stopped_is_told(call, here, monkeypatch):
    monkeypatch.setattr(fewer, "TRIES", 3)
    (here / "large.json").write_text(large({"hovered": False}))
    code, out, err = call("shrink", "large.json", "--code", "false-state")
    assert code == 0
    assert '"hovered"' in out
    assert " answers tried, then stopped: there may be a smaller one; 1 warning" in err


def test_the_fewest_of_many_take_few_tries():
    for needed, most in (({7, 600}, 90), (set(), 1), (set(range(50)), 400)):
        tried = []

        def will_do(stay, needed=needed, tried=tried):
            tried.append(stay)
            return needed <= set(stay)

        assert fewer.fewest(list(range(1_000)), will_do) == sorted(needed)
        assert len(tried) <= most
    assert [fewer.least(9, lambda size: size >= 4), fewer.least(3, lambda _: False)] == [4, 3]


# --- the pieces of a text ---


def test_of_json_pieces_are_what_places_are():
    chance = random.Random(3)
    for one in chance.sample([one for one in vectors() if not one.report["fatal"]], 60):
        data = one.file
        places, pieces = Places(data), Pieces(data)
        for name in ("start", "end", "item"):
            assert list(getattr(pieces, name))[1:] == list(getattr(places, name))
        assert [one - 1 for one in list(pieces.behind)[1:]] == list(places.behind)
        assert [one - 1 for one in list(pieces.holder)[1:]] == list(places.holder)


def test_of_anything_else_pieces_hold_each_other_and_cover_all():
    chance = random.Random(4)
    for _ in range(300):
        data = bytes(chance.choice(b'{}[]",:\\ a1\xff\n') for _ in range(chance.randrange(40)))
        pieces = Pieces(data)
        for row in range(1, len(pieces)):
            holder = pieces.holder[row]
            assert holder < row < pieces.behind[row] <= pieces.behind[holder]
            assert pieces.start[holder] < pieces.item[row] <= pieces.start[row] < pieces.end[row]
            assert pieces.end[row] <= pieces.end[holder]
            assert row in pieces.inside(holder)
            assert pieces.depth[row] == pieces.depth[holder] + 1
    assert blanks(b' "a b" 1\n\t2"c ') == [(0, 1), (6, 7), (8, 10)]


# --- the command ---


def test_where_it_goes(call, here):
    shown = call("shrink", "wrong.json", "--code", "root-not-application")[1]
    assert call("shrink", "wrong.json", "--code", "root-not-application", "-o", "new.json")[1] == ""
    assert (here / "new.json").read_text() == shown
    assert (here / "wrong.json").read_text() == WRONG
    assert call("shrink", "new.json", "--code", "root-not-application", "-i")[0] == 0
    assert (here / "new.json").read_text() == shown
    code, out, _ = call("shrink", "wrong.json", "--code", "root-not-application", "--diff")
    assert code == 0
    assert out.splitlines()[:2] == ["--- wrong.json", "+++ wrong.json (shrunk)"]
    assert shown in out
    assert not list(here.glob(".elementguard*"))


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["wrong.json"], "--code"),
        (["--code", "focus-gap"], "FILE"),
        (["wrong.json", "--code", "focus-gab"], "did you mean 'focus-gap'"),
        (["wrong.json", "--code", "reassigned-id"], "between answers"),
        (["wrong.json", "--code", "focus-gap", "-i", "--diff"], "not allowed with"),
        (["gone.json", "--code", "focus-gap"], "gone.json: No such file"),
        (["wrong.json", "--code", "focus-gap", "--limit", "bytes=x"], "bytes"),
    ],
)
def test_wrong_usage_and_what_cannot_be_read_is_code_2(call, arguments, says):
    code, out, err = call("shrink", *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_without_the_finding_it_is_code_1_and_says_what_there_is(engine, call):
    code, out, err = call("shrink", "wrong.json", "--code", "focus-gap")
    assert (code, out) == (1, "")
    reason = "the answer has no finding focus-gap, but root-not-application"
    assert err == f"elementguard: wrong.json: {reason}\n"
    assert "but none at all" in call("shrink", "clean.json", "--code", "focus-gap")[2]
    with pytest.raises(NotFoundError):
        shrink(engine.Validator(), CLEAN.encode(), "json-syntax")


def test_limits_and_kind_are_asked_too(call, here):
    (here / "element.json").write_text('{"id":"some-row","role":"Row","title":"some title"}')
    flags = ["--kind", "element", "--limit", "title_characters=4", "--code", "limit-title"]
    code, out, _ = call("shrink", "element.json", *flags)
    assert (code, out) == (0, '{"id":"a","role":"Row","title":"xxxx "}')


def test_packed_files_and_standard_input(run, here):
    (here / "a.json.gz").write_bytes(gzip.compress(WARNED.encode()))
    wanted = START + ',"children":[{"id":"c","role":"Window","focused":false}]}}'
    assert run("shrink", "a.json.gz", "--code", "false-state")[:2] == (0, wanted)
    assert run("shrink", "-", "--code", "false-state", stdin=WARNED)[:2] == (0, wanted)
    assert run("shrink", "-", "--code", "json-truncated", stdin="")[:2] == (0, "")


def test_what_stays_is_told_without_controls(call, here):
    bad = "\x9b31m\u202egnp\u2028"
    for text in (json.dumps(WRONG.replace("k3f9x2", bad)), f'{{"{bad}": {bad}, "": "{bad}"}}'):
        (here / "bad.json").write_text(text)
        report = json.loads(call("check", "bad.json", "--output-format", "json")[1])
        for finding in report["inputs"][0]["report"]["findings"]:
            for flags in ([], ["--diff"]):
                _, out, err = call("shrink", "bad.json", "--code", finding["code"], *flags)
                assert not CONTROLS.search(err + (out if flags else ""))


def test_a_reader_that_goes_away_ends_it_quietly(environment, here):
    (here / "large.json").write_text(large({"hovered": False}))
    command = ("shrink", "large.json", "--code", "false-state", "--diff")
    assert unread(environment, *command) == (2, b"")
