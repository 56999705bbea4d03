"""What no output format may let through, and what each of them has to say all the same.

Comes in: nothing. Goes out: an answer whose every word attacks whoever shows it. Not a test itself.
"""

import json

WORDS = {
    "terminal": "\x1b]0;pwned\x07\x1b[2K\x9b31m\x7f",
    "reading direction": "a\u202egnp\u2066\u200f\u061c\u2028b",
    "workflow": "\r\n::error file=x::owned%0A::stop-commands::t,a:b%3A##[add-mask]x",
    "xml": "]]><failure message='x'/>&amp;\ufffe\uffff\x00\x0b",
    "html": "</script><img src=x onerror=alert(1)><!--",
    "markdown": "|x|`y`[a](https://evil.example)![b](//c)**d**\\|~~e~~$f$",
    "links": "https://evil.example www.evil.example @someone <ftp://evil>",
    "sarif": "{0} [link](https://evil.example) \\[x](1)",
    "surrogate": "\ud800x",
    "long": "z" * 200_000,
}


def answer():
    """All of the words, as each thing that a finding may quote."""
    children = [
        {
            "id": word,
            "role": word,
            "subrole": word,
            "title": word,
            "url": word,
            word: 1,
            "attributes": {word: word, "related": [word]},
            "content": [{"type": word}, {"type": "image", "data": word, "mimeType": word}],
        }
        for word in WORDS.values()
    ]
    root = {"id": "app", "role": "Application", "children": [*children, *children[:2]]}
    return json.dumps({"protocol": WORDS["xml"], "instance": WORDS["terminal"], "root": root})
