"""The command line: files that are compressed, and such as only look small."""

import gzip
import importlib
import io
import sys
import tracemalloc
from collections import deque
from functools import partial

import pytest

from cli_answers import ALL, CLEAN, WRONG
from elementguard.cli import packed
from elementguard.cli.packed import Unpacked, plain_name

zstd = importlib.import_module(
    "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
)

PACK = {".gz": lambda data: gzip.compress(data, mtime=0), ".zst": zstd.compress}
BOTH = pytest.mark.parametrize("ending", [".gz", ".zst"])


@BOTH
def test_packed_answers_and_lines_are_told_as_plain_ones(call, here, ending):
    (here / "plain.json").write_text(ALL)
    (here / "plain.jsonl").write_text(f"{CLEAN}\n{ALL}\n" * 400)
    for name in ("plain.json", "plain.jsonl"):
        data = (here / name).read_bytes()
        (here / (name + ending)).write_bytes(PACK[ending](data))
        told = call("check", name)
        assert told[0] == 1
        assert call("check", name + ending) == (1, told[1].replace(name, name + ending), "")


@BOTH
def test_members_and_frames_behind_one_another_are_one_file(call, here, ending):
    pack = PACK[ending]
    (here / f"a.ndjson{ending}").write_bytes(
        pack(f"{WRONG}\n{WRONG[:20]}".encode()) + pack(f"{WRONG[20:]}\n".encode())
    )
    code, out, _ = call("check", f"a.ndjson{ending}")
    assert (code, out.splitlines()[-1]) == (1, "failed: 2 answers, 2 errors")


@BOTH
@pytest.mark.parametrize("command", ["show", "sizes", "fix", "salvage"])
def test_the_commands_for_one_answer_unpack_it_too(call, here, ending, command):
    (here / f"a.json{ending}").write_bytes(PACK[ending](CLEAN.encode()))
    assert call(command, f"a.json{ending}") == call(command, "clean.json")


@BOTH
def test_what_is_cut_or_no_packed_file_is_said_and_the_rest_read(call, here, ending):
    whole = PACK[ending](f"{WRONG}\n".encode() * 50 + bytes(range(256)) * 9)
    (here / f"cut.ndjson{ending}").write_bytes(whole[:-9])
    (here / f"none.json{ending}").write_text(CLEAN)
    (here / f"empty.json{ending}").write_bytes(b"")
    names = [f"cut.ndjson{ending}", f"none.json{ending}"]
    code, out, err = call("check", *names, "wrong.json")
    assert code == 2
    assert [line.split(": ")[1] for line in err.splitlines()] == names
    assert "2 could not be checked" in out.splitlines()[-1]
    assert call("show", names[1])[0] == 2


def test_other_kinds_are_said(call, here):
    for name in ("a.json.xz", "b.json.bz2", "c.zip", "d.tar"):
        (here / name).write_text(CLEAN)
        code, _, err = call("check", name)
        assert (code, err) == (
            2,
            f"elementguard: {name}: of compressed files only .gz and .zst can be read\n",
        )


def test_without_the_package_it_is_said_what_to_install(call, here, monkeypatch):
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    (here / "a.json.zst").write_bytes(zstd.compress(CLEAN.encode()))
    code, out, err = call("check", "a.json.zst", "clean.json")
    assert code == 2
    assert "a.json.zst: to read .zst, install backports.zstd" in err
    assert out.startswith("incomplete: 1 answer, ")


# --- what only looks small ---


@BOTH
@pytest.mark.parametrize("name", ["bomb.json", "bomb.ndjson"])
def test_a_bomb_is_not_unpacked_to_its_end(call, here, monkeypatch, ending, name):
    monkeypatch.setattr(packed, "BESIDES", 1 << 20)
    pack = PACK[ending]
    (here / (name + ending)).write_bytes(pack(CLEAN[:-2].encode() + b" " * (64 << 20)))
    code, out, err = call("check", name + ending, "wrong.json")
    assert code == 2
    assert f"{name}{ending}: it unpacks to more than 256 times its size; if that is meant" in err
    assert "root-not-application" in out


@BOTH
def test_what_a_bomb_takes_of_memory_is_little(monkeypatch, ending):
    monkeypatch.setattr(packed, "BESIDES", 1 << 20)
    file = Unpacked(io.BytesIO(PACK[ending](bytes(256 << 20))), f"x{ending}")
    tracemalloc.start()
    with pytest.raises(OSError, match="more than 256 times"):
        deque(iter(partial(file.read1, 256 << 10), b""), maxlen=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


@BOTH
def test_lines_that_are_alike_but_few_are_no_bomb(call, here, ending):
    (here / f"a.ndjson{ending}").write_bytes(PACK[ending](f"{CLEAN}\n".encode() * 20_000))
    assert call("check", f"a.ndjson{ending}")[0] == 0


@BOTH
def test_reading_and_going_back(ending):
    data = bytes(range(256)) * 5_000
    file = io.BytesIO(b"before" + PACK[ending](data))
    file.seek(6)
    source = Unpacked(file, f"x{ending}")
    assert source.read(10) == data[:10]
    assert source.read(0) == b""
    assert source.read() == data[10:]
    assert source.read() == b""
    source.seek(6)
    assert source.read(len(data) + 1) == data


def test_names_without_their_packing():
    assert plain_name("a/b.json.gz") == "a/b.json"
    assert plain_name("b.ndjson.zst") == "b.ndjson"
    assert plain_name("b.gz.json") == "b.gz.json"
    assert plain_name(".gz") == ".gz"
