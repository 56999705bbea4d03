"""Goes through the built site: what is broken, and what would be loaded from elsewhere.

`python tools/check_site.py build/site`. In: the pages as a browser gets them. Out: a line for each
link or anchor that leads nowhere, each script, style, picture or font that is not part of the site,
each public name without a place in the reference, each rule without a page. mkdocs looks at the
links of our Markdown only; this looks at what the theme and the reference make of it, too.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import cards
import elementguard

# Attributes by which a page makes a browser load something, by tag.
LOADED = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src", "srcdoc"),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
}
LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch"}
# What makes the theme's own script ask a server: the repository's stars, the painter of diagrams.
FETCHED = {("data-md-component", "source"), ("class", "mermaid")}
IN_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
# A page for what is not found is served from any depth, so its links are those of a server's root.
WITHOUT_A_PLACE = {"404.html"}


class Page(HTMLParser):
    """What a page has and wants: anchors, links, loads, styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.styles = ""
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One tag's anchors, links and loads."""
        given = {name: value for name, value in attrs if value is not None}
        self._in_style = tag == "style"
        self.styles += f"{given.get('style', '')}\n"
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and set(given.get("rel", "").split()) & LOADING_LINKS:
            self.loads.append(given["href"])
        self.loads += [given[name] for name in LOADED.get(tag, ()) if name in given]
        self.loads += [f"what {word} fetches" for name, word in given.items() & FETCHED]

    def handle_data(self, data: str) -> None:
        """The text of a style."""
        if self._in_style:
            self.styles += data


def main(arguments: list[str]) -> int:
    """Look at a built site, and say what is wrong with it."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    site = Path(arguments[0]).resolve()
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    wrong = [*of_links(pages), *of_loads(site, pages), *of_names(site, pages)]
    for line in wrong:
        print(line)
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {len(wrong)} wrong")
    return 1 if wrong else 0


def of_links(pages: dict[Path, Page]) -> list[str]:
    """Links and anchors that lead nowhere."""
    return [
        f"{path.name}: the link {link} leads nowhere"
        for path, page in pages.items()
        if path.name not in WITHOUT_A_PLACE
        for link in page.links
        if not urlsplit(link).scheme and not leads_somewhere(path, link, pages)
    ]


def leads_somewhere(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    """Whether a link of a page has a file, and its fragment an anchor."""
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if parts.netloc or not target.is_file():
        return False
    return not parts.fragment or unquote(parts.fragment) in pages[target].anchors


def of_loads(site: Path, pages: dict[Path, Page]) -> list[str]:
    """What would be loaded from elsewhere, or is not there."""
    wanted = [(path, load) for path, page in pages.items() for load in loads_of(page)]
    styles = [
        (path, load) for path in site.rglob("*.css") for load in in_styles(path.read_text("utf-8"))
    ]
    return [
        f"{path.name}: {load} is not a file of the site"
        for path, load in wanted + styles
        if path.name not in WITHOUT_A_PLACE and not is_ours(path, load)
    ]


def loads_of(page: Page) -> list[str]:
    """All that a page makes a browser load."""
    return page.loads + in_styles(page.styles)


def in_styles(text: str) -> list[str]:
    """What styles load."""
    return [first or second for first, second in IN_STYLES.findall(text)]


def is_ours(path: Path, load: str) -> bool:
    """Whether it is inside the page itself, or a file beside it."""
    parts = urlsplit(load)
    if parts.scheme == "data":
        return True
    return not parts.scheme and not parts.netloc and (path.parent / unquote(parts.path)).is_file()


def of_names(site: Path, pages: dict[Path, Page]) -> list[str]:
    """Public names without a place in the reference, rules without a page."""
    told = {
        anchor
        for path, page in pages.items()
        if path.parent.name == "api"
        for anchor in page.anchors
    }
    names = [name for name in elementguard.__all__ if f"elementguard.{name}" not in told]
    rules = [
        card.code for card in cards.load() if site / "rules" / f"{card.code}.html" not in pages
    ]
    return [f"the reference lacks {name}" for name in names] + [
        f"{code} has no page" for code in rules
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
