"""Formats to files: several at once, each whole or not at all."""

import os
import stat

import pytest

from test_cli_formats import EVERY


def test_each_format_to_its_file_at_once(call, here):
    flags = [f"--output-format={form}=out.{form}" for form in EVERY]
    code, out, err = call("check", "all.json", *flags)
    assert (code, out) == (1, "")
    assert err == "failed: 1 answer, 1 error, 1 warning, 1 note\n"
    alone = {form: call("check", "all.json", "--output-format", form)[1] for form in EVERY}
    assert alone == {form: (here / f"out.{form}").read_text() for form in EVERY}
    assert not list(here.glob(".*"))


@pytest.mark.parametrize(
    "flags, says",
    [
        (["sarif", "github"], "FORMAT=FILE"),
        (["sarif=a", "junit=a"], "FORMAT=FILE"),
        (["sarif=a", "junit=./a"], "FORMAT=FILE"),
        (["sarif", "junit=-"], "FORMAT=FILE"),
        (["junit="], "a file is missing"),
        (["junti=a"], "'junti'"),
        (["sarif=clean.json"], "a file that is checked"),
        (["sarif=./clean.json"], "a file that is checked"),
    ],
)
def test_bad_combinations_are_wrong_usage(call, here, flags, says):
    before = (here / "clean.json").read_text()
    code, out, err = call("check", "clean.json", *(f"--output-format={flag}" for flag in flags))
    assert (code, out) == (2, "")
    assert err.startswith("usage: ")
    assert says in err
    assert (here / "clean.json").read_text() == before
    assert not (here / "a").exists()


@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError])
def test_a_file_is_replaced_when_it_is_whole_or_not_at_all(call, here, monkeypatch, fault):
    target = here / "out.xml"
    target.write_text("what was there")

    def broken(*_):
        assert target.read_text() == "what was there"
        raise fault

    monkeypatch.setattr("elementguard.cli.formats.junit.Junit.end", broken)
    code, _, _ = call("check", "all.json", "--output-format", "junit=out.xml")
    assert code in (2, 130)
    assert target.read_text() == "what was there"
    assert not list(here.glob(".*"))


def test_a_link_and_a_mode_stay(call, here):
    target = here / "real.xml"
    target.write_text("old")
    target.chmod(0o640)
    (here / "link.xml").symlink_to(target)
    call("check", "all.json", "--output-format", "junit=link.xml")
    assert (here / "link.xml").is_symlink()
    assert target.read_text().startswith("<?xml")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(call, here):
    call("check", "all.json", "--output-format", "junit=new.xml")
    (here / "usual").touch()
    assert (here / "new.xml").stat().st_mode == (here / "usual").stat().st_mode


def test_a_pipe_is_written_to_as_it_is(run):
    code, out, err = run("check", "all.json", "--output-format", "jsonl=/dev/stderr")
    assert (code, out, err[:1]) == (1, "", "{")


def test_a_folder_is_no_file(call, here):
    (here / "folder").mkdir()
    code, _, err = call("check", "all.json", "--output-format", "junit=folder")
    assert (code, err) == (2, f"elementguard: folder: {os.strerror(21)}\n")


def test_a_file_is_not_blamed_for_what_happens_while_it_is_open(call, here, monkeypatch):
    def faulty(*_):
        raise FileNotFoundError(2, "No such file or directory", "elsewhere")

    monkeypatch.setattr("elementguard.cli.check._Work.do", faulty)
    code, out, err = call("check", "clean.json", "--output-format", "sarif=out")
    wanted = "FileNotFoundError: [Errno 2] No such file or directory: 'elsewhere'"
    assert (code, out, err) == (2, "", f"elementguard: internal error: {wanted}\n")
    assert not (here / "out").exists()
