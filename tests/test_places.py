"""Findings: where they are, in lines, in pieces of the source and in words."""

import json

import pytest

from elementguard import Limits
from elementguard._finding import Finding

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
# Four findings: an error, a warning and a note at the root, a warning below it.
FAULTY = (
    b'{"protocol":"0.2.0","instance":"k3f9x2",\r\n"root":{"id":"app","role":"Group","title":" ",'
    b'\n"children":[{"id":"w-1","role":"Window","focused":false}],"visible":true}}'
)
FATAL = b'{"protocol":"0.2.0",]'


def test_a_long_pointer_is_shortened_in_text_alone(engine):
    deep = b'{"id":"a","role":"Group","children":[' * 400 + b"7" + b"]}" * 400
    report = engine.check(deep, kind="element", limits=Limits(findings=None))
    finding = next(one for one in report.findings if one.code == "wrong-type")
    assert finding.pointer == "/children/0" * 400
    assert len(str(finding)) < 600
    assert len(finding.breadcrumb) < 200


@pytest.mark.parametrize(
    "text, offset, place",
    [
        ("", 0, (1, 1)),
        ("abc", 3, (1, 4)),
        ("a\nb", 2, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\r\nb", 2, (1, 3)),
        ("a\n\rb", 3, (3, 1)),
        ("a\r\r\nb", 4, (3, 1)),
        ("\r\n\r\n", 4, (3, 1)),
        ("é中🚬x", 9, (1, 4)),
        ("é\n中🚬x", 10, (2, 3)),
        ("a\u2028\u0085b", 6, (1, 4)),
        ("a\x0bb\x0cc", 4, (1, 5)),
    ],
)
def test_lines_and_columns(text, offset, place):
    row = (0, offset, "", None, ())
    for source in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        assert Finding(row, 3).line_and_column(source) == place


def test_places_agree_in_any_order():
    from elementguard._source import Source

    text = "é\r\n中\n\r🚬x\r\r\ny".encode()
    alone = [Source(text).place(offset) for offset in range(len(text) + 1)]
    upwards, downwards = Source(text), Source(text)
    assert [upwards.place(offset) for offset in range(len(text) + 1)] == alone
    assert [downwards.place(offset) for offset in reversed(range(len(text) + 1))] == alone[::-1]


def test_a_place_needs_the_source(engine):
    (finding,) = engine.check(FATAL).findings
    assert finding.line_and_column(FATAL) == (1, 21)
    with pytest.raises(ValueError, match=r"^source: "):
        finding.line_and_column(FATAL[:5])
    with pytest.raises(TypeError, match=r"^source: .* not dict$"):
        finding.line_and_column({})
    (parsed,) = engine.check([]).findings
    assert parsed.offset is None
    assert parsed.line_and_column("[]") is None


def test_third_line_as_in_the_wild(engine):
    source = '{"protocol":"0.2.0",\n "root":{"id":"app",\n  "title":"é中🚬é" "url":"x"}}'
    (finding,) = engine.check(source).findings
    assert finding.line_and_column(source) == finding.line_and_column(source.encode()) == (3, 18)


def test_a_breadcrumb_by_pointer_and_one_by_role(engine):
    finding = engine.check(FAULTY).findings[2]
    assert finding.breadcrumb == "root > children[0]#w-1 > focused"
    assert "Group#app > Window#w-1 > focused" in engine.check(FAULTY).render(FAULTY)
    fragment = b'{"role":"Row","hovered":false,"id":"r"}'
    report = engine.check(fragment, kind="element")
    assert report.findings[0].breadcrumb == "#r > hovered"
    assert "at  Row#r > hovered" in report.render(fragment)
    assert engine.check(b"[]").findings[0].breadcrumb == "answer"


def test_a_breadcrumb_finds_what_stands_behind_and_what_counts():
    from elementguard._breadcrumb import from_source

    source = (
        b'{"root":{"children":[7,{"children":[{"role":"Row","x":{"role":"no","id":"no"},"id":"r"}],'
        b'"id":"w\\u002d1","id":"second","role":"Window"}],"role":"Application"},"root":{"role":"second"}}'
    )
    pointer = "/root/children/1/children/0/x/id"
    assert from_source(source, [pointer, "/root", ""]) == {
        pointer: "Application > Window#w-1 > Row#r > x > id",
        "/root": "Application",
        "": "answer",
    }
    for cut in range(len(source)):
        assert from_source(source[:cut], [pointer])[pointer].endswith("> x > id")


def test_render_shows_place_excerpt_caret_way_and_advice(engine):
    lines = engine.check(FAULTY).render(FAULTY).splitlines()
    assert lines[0].startswith("2:27: error root-not-application: ")
    assert lines[2] == '2 | "root":{"id":"app","role":"Group","title":" ",'
    assert lines[3] == "  |                           ^"
    assert lines[4] == "  at  Group#app > role"
    assert lines[5].startswith("  fix ")
    assert lines[-1] == "not ok: 1 error, 2 warnings, 1 note"


def test_render_without_a_source_shows_offsets_or_pointers(engine):
    assert engine.check(FAULTY).render().startswith("byte 68: error root-not-application: ")
    assert engine.check(json.loads(FAULTY)).render().startswith("/root/role: error root-not")
    assert engine.check(CLEAN).render() == "ok: no findings"
    short = engine.check(FAULTY, limits=Limits(findings=1)).render()
    assert short.splitlines()[-1].endswith("(the first 1 are shown)")
    with pytest.raises(TypeError, match=r"^source: "):
        engine.check(FAULTY).render({})


@pytest.mark.parametrize("character", ["x", "é", "中", "🚬", "\\ud83d\\udeac", "e\u0301", "\t"])
def test_an_excerpt_is_cut_between_characters_with_the_caret_in_place(character):
    from elementguard._source import Source, display_width

    source = f'["{character * 300}",@{character * 300}]'
    offset = source.encode().index(b"@")
    for width in (40, 61, 100):
        before, behind = Source(source).excerpt(offset, width)
        assert display_width(before) + display_width(behind) <= width
        assert behind.startswith("@")
        assert before.startswith("...")
        assert behind.endswith("...")
        assert "\\x" not in before + behind


def test_an_excerpt_shows_what_cannot_be_seen():
    from elementguard._source import Source

    assert Source(b"\xef\xbb\xbf{}").excerpt(0, 40) == ("", "\\ufeff{}")
    assert Source(b'{"a":"\xff"}').excerpt(6, 40) == ('{"a":"', '\\xff"}')
    assert Source(b'\t\t{"a":"\t"}').excerpt(8, 40) == ('  {"a":"', '\\u0009"}')
    assert Source("\ud800").excerpt(0, 40)[1] == "\\xed\\xa0\\x80"
