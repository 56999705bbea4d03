"""A page as a parser reads it, for the tests of pages.

Comes in: HTML. Goes out: its elements, the policy, the script, the style, the data. Not a test
itself.
"""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

MARKUP = {"html", "head", "meta", "title", "style", "body", "noscript", "script"}
NAMES = {"lang", "charset", "http-equiv", "content", "name", "type", "id"}


class Read(HTMLParser):
    """All elements with their attributes and texts."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.comments, self.kind = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append([tag, dict(attrs), ""])

    def handle_data(self, data):
        if self.elements:
            self.elements[-1][2] += data

    def handle_comment(self, data):
        self.comments.append(data)

    def handle_decl(self, decl):
        self.kind = decl

    def of(self, tag, **wanted):
        return [
            (attrs, text)
            for name, attrs, text in self.elements
            if name == tag and wanted.items() <= attrs.items()
        ]


def data_of(html):
    """The data of a page that keeps to its own policy; everything else is a failure."""
    assert html.isascii()
    read = Read(html)
    assert read.kind == "doctype html"
    assert not read.comments
    assert {tag for tag, _, _ in read.elements} == MARKUP
    assert {name for _, attrs, _ in read.elements for name in attrs} == NAMES
    (island,) = [text for _, text in read.of("script", type="application/json")]
    (about,) = [attrs for _, attrs, _ in read.elements if "http-equiv" in attrs]
    assert about["http-equiv"] == "Content-Security-Policy"
    rules = dict(part.split(" ", 1) for part in about["content"].split("; "))
    script, style = between(html, "script"), between(html, "style")
    assert rules == {
        "default-src": "'none'",
        "script-src": digest(script),
        "style-src": digest(style),
        "base-uri": "'none'",
        "form-action": "'none'",
        "trusted-types": "'none'",
        "require-trusted-types-for": "'script'",
    }
    assert not re.search("[<>&]", island)
    assert not re.search(r"innerHTML|insertAdjacent|document\.write|eval\(|https?:", script + style)
    return json.loads(island)


def between(html, tag):
    return re.search(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1]


def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
