"""The site's generated pages: a page for each rule, their index, the table of sentences.

A hook of mkdocs. In: the cards, `tests/spec_sentences.toml`, the pages of `docs/`. Out: pages that
are never written beside the others, so that they cannot be stale. Pages link to files of the
repository as the repository's own pages do; here a link to a card becomes one to the rule's page,
one to their folder leads to the index, any other that leaves `docs/` one to the repository.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from posixpath import normpath, relpath
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

import cards

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
CARDS = "python/elementguard/rules"
LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)")
FENCE = re.compile(r"^```(\w+)(.*)$", re.MULTILINE)
LANGUAGES = {"hex": "text", "jsonl": "json"}
SENTENCES = "<!-- sentences -->"
INDEX = """\
# Rules

{count} rules: {counts}. *Fatal* findings end the work at once and stand alone. *Fix* says whether
there is a mechanical one: a *safe* fix keeps the meaning, an *unsafe* one has to guess. The pages
are those of `elementguard rule CODE`.

## By level
"""
ORDER = ("error", "warning", "note")
# What a section is about: the first that a rule names decides where the rule stands.
SECTIONS = {
    "RFC 8259": "JSON",
    "5": "The envelope",
    "5.1": "Fields",
    "5.2": "Roles",
    "5.3": "States",
    "5.4": "Identity",
    "5.5": "Content",
    "5.6": "Attributes",
    "5.7": "Limits",
}


def on_config(config: MkDocsConfig) -> None:
    """The rules' part of the navigation: the index, then each section's rules."""
    config.nav = [
        {"Rules": rules_nav()} if entry == {"Rules": "rules"} else entry
        for entry in config.nav or []
    ]


def rules_nav() -> list[str | dict[str, list[str]]]:
    """The index, then each section's rules."""
    groups = [{f"{name}": [page_of(card) for card in some]} for name, some in by_section().items()]
    return ["rules/index.md", *groups]


def by_section() -> dict[str, list[cards.Card]]:
    """The cards by what their first section is about, in the chapter's order."""
    found: dict[str, list[cards.Card]] = {name: [] for name in SECTIONS.values()}
    for card in cards.load():
        found[SECTIONS[re.split(r"[,§]", card.section)[0].strip()]].append(card)
    return found


def page_of(card: cards.Card) -> str:
    """Where a rule's page stands in the site."""
    return f"rules/{card.code}.md"


def on_files(files: Files, *, config: MkDocsConfig) -> None:
    """Add the pages that are made here."""
    pages = {page_of(card): rule_page(card) for card in cards.load()}
    for path, text in {"rules/index.md": index_page(), **pages}.items():
        files.append(File.generated(config, path, content=text))


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in what is made here, and turn links that leave `docs/`."""
    del files
    text = markdown.replace(SENTENCES, sentences_table())
    here = Path(page.file.src_uri).parent.as_posix()
    return LINK.sub(lambda link: turned(link[1], here, config.extra["repository"]), text)


def turned(link: str, here: str, repository: str) -> str:
    """A link as the site has it."""
    target = normpath(f"docs/{here}/{link}")
    if target.startswith("docs/"):
        return link
    if target == CARDS:
        return relpath("rules/index.md", here)
    if target.startswith(f"{CARDS}/"):
        return relpath(target.removeprefix("python/elementguard/"), here)
    return f"{repository.rstrip('/')}/blob/main/{target}"


# --- a rule's page ---


def rule_page(card: cards.Card) -> str:
    """One rule: what the catalogue says of it, and the card's prose."""
    prose = "\n\n".join(f"## {name}\n\n{shown(text)}" for name, text in card.prose.items())
    parts = [f"# {card.code}", sentence(card.summary), facts(card), prose, rests_on(card)]
    return "\n\n".join(part for part in parts if part) + "\n"


def sentence(summary: str) -> str:
    """A summary as a sentence of its own."""
    return f"{summary[0].upper()}{summary[1:]}."


def facts(card: cards.Card) -> str:
    """The front matter in a list."""
    said = {
        "Level": f"{level(card)}{'' if card.movable else '; cannot be moved'}",
        "Section": card.section,
        "Fix": "none that is mechanical" if card.fix == "none" else card.fix,
        "Parameters": ", ".join(f"`{name}`" for name in card.parameters) or "none",
        "Message": card.message,
        **{f"Message where {when(one)}": one.message for one in card.variants},
    }
    return "\n".join(f"- **{name}**: {text}" for name, text in said.items())


def level(card: cards.Card) -> str:
    """The level, and whether the work ends there."""
    return f"{card.level}, fatal" if card.fatal else card.level


def when(variant: cards.Variant) -> str:
    """For which value of which parameter a message is."""
    values = {None: "absent", "": "empty"}
    return f"`{variant.parameter}` is {values.get(variant.value, f'`{variant.value}`')}"


def cell(text: str) -> str:
    """Text for a table's cell."""
    return text.replace("|", "\\|")


def shown(text: str) -> str:
    """A card's section: fences in languages that the site knows, options of the call in words."""
    return FENCE.sub(fence, text)


def fence(found: re.Match[str]) -> str:
    """A fence's first line, above it what the call is told."""
    options = [f"`{option}`" for option in found[2].split()]
    told = f"Checked with {' and '.join(options)}:\n\n" if options else ""
    note = {"hex": "The bytes, in hexadecimal:\n\n", "jsonl": "Two answers of one run:\n\n"}
    return f"{told or note.get(found[1], '')}```{LANGUAGES.get(found[1], found[1])}"


def rests_on(card: cards.Card) -> str:
    """The sentences that the rule holds a provider to."""
    table = sentences()
    if card.code in table["elsewhere"]:
        return f"## What it rests on\n\n{table['elsewhere'][card.code]}."
    rows = [one for one in table["sentence"] if card.code in one.get("rules", ())]
    lines = "\n".join(f"- {one['section']}: {one['says']}" for one in rows)
    return f"## What it rests on\n\nThe specification, in our words:\n\n{lines}"


# --- the index ---


def index_page() -> str:
    """All rules, by section and, within one, as the catalogue has them."""
    rules = cards.load()
    counts = ", ".join(f"{sum(c.level == name for c in rules)} {name}s" for name in ORDER)
    head = INDEX.format(count=len(rules), counts=counts)
    levels = "".join(f"\n**{name}**: {listed(rules, name)}\n" for name in ORDER)
    groups = "".join(f"\n## {name}\n\n{table(some)}" for name, some in by_section().items())
    return head + levels + groups


def listed(rules: list[cards.Card], name: str) -> str:
    """The rules of a level, in one line."""
    return " · ".join(f"[{c.code}]({c.code}.md)" for c in rules if c.level == name)


def table(some: list[cards.Card]) -> str:
    """Some rules in Markdown."""
    return "| rule | says that | level | section | fix |\n|---|---|---|---|---|\n" + "".join(
        f"| {' | '.join(row(card))} |\n" for card in some
    )


def row(card: cards.Card) -> tuple[str, ...]:
    """The cells of a rule."""
    fix = "" if card.fix == "none" else card.fix
    return f"[`{card.code}`]({card.code}.md)", cell(card.summary), level(card), card.section, fix


# --- the sentences ---


def sentences() -> dict[str, Any]:
    """The table of the chapter's sentences."""
    return tomllib.loads((ROOT / "tests" / "spec_sentences.toml").read_text("utf-8"))


def sentences_table() -> str:
    """Each sentence in our words, with its rules or the reason why it has none."""
    head = "| section | says, in our words | held by |\n|---|---|---|\n"
    return head + "".join(
        f"| {one['section']} | {cell(one['says'])} | {held_by(one)} |\n"
        for one in sentences()["sentence"]
    )


def held_by(one: dict[str, Any]) -> str:
    """The rules of a sentence, or why there are none."""
    if "rules" not in one:
        return f"no rule: {cell(one['excluded'])}"
    return ", ".join(f"[{code}](rules/{code}.md)" for code in one["rules"])
