"""The answer's JSON Schema, held against what it is made after and against the rules.

Comes in: the schema, MCP's own types, and the conformance vectors. Goes out: a failure where the
schema refuses an answer in which nothing is found, or takes one whose fault lies in its shape.
"""

import json
from pathlib import Path

import jsonschema_rs
import mcp.types
import pytest

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "python/elementguard/schemas/answer.schema.json").read_text("utf-8"))

# What a schema can see: whatever one value shows, without a decoder and without a second place.
SEEN = {
    "wrong-type",
    "null-member",
    "missing-member",
    "unknown-member",
    "unsupported-protocol",
    "empty-instance",
    "malformed-id",
    "root-not-application",
    "nested-application",
    "unknown-role",
    "furniture-role",
    "multiline-title",
    "false-state",
    "misplaced-state",
    "empty-children",
    "empty-content",
    "unknown-block-type",
    "invalid-annotations",
    "text-and-blob",
    "incomplete-related",
}
# What a JSON reader makes of these is its own affair, and the schema is asked of what it made.
UNREADABLE = {"duplicate-member", "lone-surrogate", "imprecise-number"}

BLOCKS = {
    "text": mcp.types.TextContent,
    "image": mcp.types.ImageContent,
    "audio": mcp.types.AudioContent,
    "resource_link": mcp.types.ResourceLink,
    "resource": mcp.types.EmbeddedResource,
}
OTHERS = {"icon": mcp.types.Icon, "annotations": mcp.types.Annotations}


def vectors():
    for path in sorted((ROOT / "tests" / "conformance").glob("*/*.report.json")):
        report = json.loads(path.read_text("utf-8"))
        answer = path.with_name(path.name.replace(".report.json", ".json"))
        if answer.exists() and not report["fatal"] and not UNREADABLE & set(report["counts"]):
            yield pytest.param(answer, report, id=f"{path.parent.name}/{answer.stem}")


@pytest.fixture(scope="module")
def judges():
    part = {"$ref": "#/$defs/element", "$defs": SCHEMA["$defs"]}
    return {
        "answer": jsonschema_rs.Draft202012Validator(SCHEMA),
        "element": jsonschema_rs.Draft202012Validator(part),
    }


def test_it_is_a_schema():
    assert jsonschema_rs.meta.is_valid(SCHEMA)


@pytest.mark.parametrize("answer, report", list(vectors()))
def test_it_takes_what_is_clean_and_refuses_a_fault_of_shape(judges, answer, report):
    valid = judges[report["kind"]].is_valid(json.loads(answer.read_bytes()))
    if not report["counts"]:
        assert valid
    if SEEN & set(report["counts"]):
        assert not valid


@pytest.mark.parametrize("name", BLOCKS | OTHERS)
def test_blocks_are_as_mcp_has_them(name):
    theirs = (BLOCKS | OTHERS)[name].model_json_schema(by_alias=True)
    ours = SCHEMA["$defs"][name]
    assert set(ours["properties"]) == set(theirs["properties"])
    needed = set(theirs.get("required", ())) | ({"type"} if name in BLOCKS else set())
    assert set(ours.get("required", ())) == needed


def test_a_resource_is_as_mcp_has_it():
    text = mcp.types.TextResourceContents.model_json_schema(by_alias=True)
    blob = mcp.types.BlobResourceContents.model_json_schema(by_alias=True)
    ours = SCHEMA["$defs"]["contents"]
    assert set(ours["properties"]) == set(text["properties"]) | set(blob["properties"])
    assert {*ours["required"], "text"} == set(text["required"])
    assert {*ours["required"], "blob"} == set(blob["required"])
