"""The selftest: it runs both engines over everything that ships, and it can fail."""

import subprocess
import sys
from pathlib import Path

import pytest

import elementguard
from elementguard import RULES, _selftest_run

ROOT = Path(__file__).parent.parent


def test_it_passes_on_both_engines():
    result = elementguard.selftest()
    assert result.differences == ()
    assert result.ok
    assert result.engines == ("rust", "python")
    assert result.vectors > 500
    assert result.checks > 10 * result.vectors


def test_the_vectors_that_ship_are_those_of_the_suite():
    packed = subprocess.run(
        [sys.executable, ROOT / "tools" / "pack_vectors.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert packed.returncode == 0, f"{packed.stdout}run: python tools/pack_vectors.py"


def test_every_card_of_a_single_answer_is_a_vector():
    names = {vector.name for vector in _selftest_run._from_cards()}
    between_answers = {"reassigned-id", "changed-instance"}
    expected = {f"{code}, {which}" for code in RULES for which in ("example", "near miss")}
    assert names == {name for name in expected if name.split(",")[0] not in between_answers}


@pytest.mark.parametrize("broken", ["rust", "python"])
@pytest.mark.parametrize("part", ["ok", "counts", "findings", "summary", "is_valid", "chunks"])
def test_a_difference_is_seen(engines, monkeypatch, broken, part):
    before = set(elementguard.selftest().differences)
    core = engines[broken]
    good = core.Checker

    class Bad:
        """An engine that is wrong about one thing in one answer."""

        def __init__(self, *settings):
            self._good = good(*settings)
            self.load, self.stream = self._good.load, self._good.stream

        def check(self, data):
            outcome = self._good.check(data)
            return Wrong(outcome, part) if outcome.counts() == [(29, 1)] else outcome

        def is_valid(self, data):
            verdict = self._good.is_valid(data)
            spoilt = part == "is_valid" and self._good.check(data).counts() == [(29, 1)]
            return verdict is not spoilt

        def check_chunks(self, chunks, length=None):
            outcome = self._good.check_chunks(chunks, length)
            spoilt = part == "chunks" and outcome.counts() == [(29, 1)]
            return Wrong(outcome, "counts") if spoilt else outcome

    monkeypatch.setattr(core, "Checker", Bad)
    result = elementguard.selftest()
    assert not result.ok
    new = set(result.differences) - before
    assert [difference for difference in new if broken in difference]
    assert all("focus" in difference for difference in new), "only that answer was spoilt"


class Wrong:
    """An outcome with one part spoilt."""

    def __init__(self, outcome, part):
        self._outcome, self._part = outcome, part
        self.fatal, self.truncated = outcome.fatal, outcome.truncated
        self.ok = outcome.ok is not (part == "ok")

    def counts(self):
        return [(29, 2)] if self._part == "counts" else self._outcome.counts()

    def findings(self):
        rows = self._outcome.findings()
        if self._part != "findings":
            return rows
        return [
            (number, None if offset is None else offset + 1, *rest)
            for number, offset, *rest in rows
        ]

    def summary(self):
        row = self._outcome.summary()
        return (row[0] + 1, *row[1:]) if self._part == "summary" else row
