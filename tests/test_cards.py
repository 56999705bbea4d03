"""The cards' examples: each yields exactly its rule, and each near miss nothing, on both engines.

Comes in: the fenced block under `Example` and `Near miss`. Behind the fence's language are options
of the call: `kind=element`, `limits=name:number` (for `media_types`, one media type). The answer is
the text between the fences without its last line break. `hex` is bytes. `jsonl` is answers of one
run, which no engine compares.
"""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import cards

CARDS = cards.load()
ONE = [card for card in CARDS if "```jsonl" not in card.prose["Example"]]
RUN = [card for card in CARDS if card not in ONE]
FENCE = re.compile(r"^```(?P<language>\w+)(?P<options>.*)\n(?P<text>(?s:.*?))\n```$", re.MULTILINE)


def by_code(some):
    return pytest.mark.parametrize("card", some, ids=lambda card: card.code)


@by_code(ONE)
def test_the_example_yields_exactly_the_rule(engine, card):
    report = check(engine, card.prose["Example"])
    assert dict(report.counts) == {card.code: 1}
    (finding,) = report.findings
    assert (finding.level, finding.section) == (card.level, card.section)
    assert tuple(finding.params) == card.parameters
    assert report.ok == (card.level != "error")
    assert report.complete != card.fatal


@by_code(ONE)
def test_the_near_miss_yields_nothing(engine, card):
    assert dict(check(engine, card.prose["Near miss"]).counts) == {}


@by_code(RUN)
@pytest.mark.parametrize("heading", ["Example", "Near miss"])
def test_each_answer_of_a_run_is_clean_by_itself(engine, card, heading):
    lines = FENCE.search(card.prose[heading])["text"].splitlines()
    assert len(lines) == 2
    for line in lines:
        assert dict(engine.check(line).counts) == {}


@by_code(ONE)
def test_the_message_reads_well(engine, card):
    (finding,) = check(engine, card.prose["Example"]).findings
    assert not re.search(r"[{}]|\bNone\b", finding.message)
    assert finding.message.startswith(start(card, finding))


def start(card, finding):
    """The words before the first parameter, in the message that is meant for these values."""
    fits = [v.message for v in card.variants if finding.params[v.parameter] == v.value]
    return (fits or [card.message])[0].partition("{")[0]


def check(engine, prose):
    block = FENCE.search(prose)
    data = bytes.fromhex(block["text"]) if block["language"] == "hex" else block["text"].encode()
    options = dict(option.split("=") for option in block["options"].split())
    limits = dict(map(limit, options.get("limits", "").split(","))) if "limits" in options else {}
    return engine.check(data, limits=engine.Limits(**limits), kind=options.get("kind", "answer"))


def limit(text):
    name, value = text.split(":")
    return name, ({value} if name == "media_types" else int(value))
