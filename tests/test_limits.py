"""Limits and levels: values that are checked once, where they come in."""

import copy
import pickle

import pytest

import elementguard
from elementguard import Level, Limits

COUNTS = [
    "bytes",
    "nesting",
    "elements",
    "depth",
    "findings",
    "children",
    "blocks",
    "subtree_bytes",
    "subtree_elements",
    "content_bytes",
    "attributes_bytes",
    "title_characters",
    "image_edge",
]
NAMES = [*COUNTS, "media_types"]


def test_none_is_set_by_default_but_nesting_and_findings():
    stated = {name: getattr(Limits(), name) for name in NAMES}
    assert stated == {**dict.fromkeys(NAMES), "nesting": 1024, "findings": 100}


def test_the_preset_is_the_contracts():
    preset = Limits.recommended()
    assert {name: getattr(preset, name) for name in NAMES} == {
        "bytes": 33_554_432,
        "nesting": 256,
        "elements": 50_000,
        "depth": 64,
        "findings": 100,
        "children": 10_000,
        "blocks": 256,
        "subtree_bytes": None,
        "subtree_elements": None,
        "content_bytes": 8_388_608,
        "attributes_bytes": 262_144,
        "title_characters": 4_000,
        "image_edge": 8_000,
        "media_types": (
            "image/png",
            "image/jpeg",
            "image/gif",
            "image/webp",
            "audio/wav",
            "audio/mpeg",
        ),
    }


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("value", [0, 1, 2**80, None])
def test_a_count_is_kept_as_it_is(name, value):
    assert getattr(Limits(**{name: value}), name) == value


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("value", [True, False, 1.0, "1", b"1", [1], object()])
def test_what_is_no_integer_is_refused_by_name(name, value):
    with pytest.raises(TypeError, match=f"^{name}: .* not {type(value).__name__}$"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("value", [-1, -(2**80)])
def test_a_negative_count_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name}: "):
        Limits(**{name: value})


def test_an_integer_of_another_class_counts():
    class Indexed:
        def __index__(self):
            return 7

    limits = Limits(depth=Indexed())
    assert limits.depth == 7
    assert type(limits.depth) is int


@pytest.mark.parametrize(
    "given", [["image/png"], ("image/png",), {"image/png"}, iter(["image/png"])]
)
def test_media_types_come_from_any_iterable(given):
    assert Limits(media_types=given).media_types == ("image/png",)


def test_a_set_has_one_order():
    names = {f"image/x{number}" for number in range(50)}
    assert Limits(media_types=names).media_types == tuple(sorted(names))


@pytest.mark.parametrize("given", ["image/png", b"image/png", 7, True, [7], [None], [b"image/png"]])
def test_what_is_no_list_of_strings_is_refused(given):
    with pytest.raises(TypeError, match=r"^media_types: "):
        Limits(media_types=given)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "png",
        "image/",
        "/png",
        "image/*",
        "*/*",
        "image/png; q=1",
        "image/png ",
        "image//png",
        "image/png\n",
        "imäge/png",
        "image/" + "x" * 128,
    ],
)
def test_what_is_no_media_type_is_refused(name):
    with pytest.raises(ValueError, match=r"^media_types: "):
        Limits(media_types=[name])


@pytest.mark.parametrize("name", ["image/svg+xml", "IMAGE/PNG", "audio/vnd.wave", "x/" + "x" * 127])
def test_a_media_type_is_kept_as_it_is(name):
    assert Limits(media_types=[name]).media_types == (name,)


def test_no_media_type_at_all_is_a_limit():
    assert Limits(media_types=[]).media_types == ()
    assert Limits(media_types=[]) != Limits()


def test_unknown_names_and_places_are_refused():
    with pytest.raises(TypeError, match="node"):
        Limits(nodes=1)
    with pytest.raises(TypeError):
        Limits(1)
    with pytest.raises(TypeError, match=r"^nodes: no such limit"):
        Limits().replace(nodes=1)


def test_nothing_can_be_set_or_taken_away():
    limits = Limits(depth=3)
    for name in ("depth", "other"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(limits, name, 4)
        with pytest.raises(AttributeError, match="immutable"):
            delattr(limits, name)
    assert not hasattr(limits, "__dict__")
    assert limits.depth == 3


def test_equal_limits_are_one_key():
    assert Limits(depth=3) == Limits(depth=3) != Limits(depth=4)
    assert len({Limits(), Limits(nesting=1024), Limits(depth=None)}) == 1
    assert Limits() != 7


@pytest.mark.parametrize("limits", [Limits(), Limits.recommended(), Limits(nesting=None, bytes=0)])
def test_limits_survive_a_pickle_a_copy_and_their_repr(limits):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(limits, protocol)) == limits
    assert copy.deepcopy(limits) == copy.copy(limits) == limits
    assert eval(repr(limits), {"Limits": Limits}) == limits


def test_repr_tells_what_is_set():
    assert repr(Limits()) == "Limits()"
    assert repr(Limits(nesting=None, depth=3)) == "Limits(nesting=None, depth=3)"


def test_replace_changes_what_it_is_told():
    limits = Limits.recommended().replace(depth=None, media_types=["image/png"])
    assert (limits.depth, limits.media_types, limits.blocks) == (None, ("image/png",), 256)
    with pytest.raises(ValueError, match=r"^depth: "):
        limits.replace(depth=-1)


def test_limits_reach_the_engine(engine):
    answer = b'{"id":"a","role":"Group","children":[{"id":"b","role":"Group"}]}'
    for name, allowed in {"bytes": 63, "elements": 1, "depth": 1, "nesting": 2}.items():
        report = engine.check(answer, kind="element", limits=Limits(**{name: allowed}))
        (finding,) = report.findings
        assert finding.code == f"limit-{name}"
        assert dict(finding.params) == {"limit": name, "allowed": allowed, "actual": allowed + 1}
        larger = Limits(**{name: allowed + 1})
        assert engine.check(answer, kind="element", limits=larger).findings == ()


def test_a_limit_beyond_all_counting_is_none(engine):
    limits = Limits(**dict.fromkeys(COUNTS, 2**200))
    assert engine.check(b'{"id":"a","role":"Group"}', kind="element", limits=limits).findings == ()


def test_levels_are_words_with_a_rank():
    assert [level.value for level in sorted(Level, key=lambda one: one.rank)] == [
        "off",
        "note",
        "warning",
        "error",
    ]
    assert f"{Level.ERROR}" == "error"
    assert pickle.loads(pickle.dumps(Level.NOTE)) is Level.NOTE
    assert elementguard.Level is Level
