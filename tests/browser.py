"""A real browser for the tests of pages: headless Chromium, spoken to over a pair of pipes.

Comes in: files. Goes out: what a page did: its errors, what it asked the network for, what a script
in it says. Not a test itself. `--remote-debugging-pipe` needs nothing besides the browser.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time

from cli_answers import HEAD

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
FLAGS += ["--hide-scrollbars", "--no-first-run"]
PATIENCE = 60
# Chromium reads from 3 and writes to 4; Python cannot hand a child pipes under given numbers.
START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
KEYS = {" ": "Space", "/": "Slash", "*": "Digit8"}
CODES = {
    "Enter": 13,
    "Escape": 27,
    " ": 32,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Tab": 9,
}

# What a page tells of itself.
LABELS = "[...document.querySelectorAll('[role=treeitem]')].map(row => row.ariaLabel)"
ACTIVE = """document.getElementById(
    document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))?.ariaLabel"""
COUNT = "document.querySelector('output').textContent"


class Browser:
    """A running Chromium, closed at the end of a `with`."""

    def __init__(self, home):
        down, to = os.pipe()
        back, up = os.pipe()
        command = [sys.executable, "-c", START, str(down), str(up), PROGRAM, *FLAGS]
        self.process = subprocess.Popen(
            [*command, "--remote-debugging-pipe", f"--user-data-dir={home}", "about:blank"],
            pass_fds=(down, up),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self.to, self.back, self.rest, self.count = to, back, b"", 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.to)
            os.close(self.back)

    def call(self, method, session=None, **params):
        """What the browser answers; events that come before are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while (got := self.read(end)).get("id") != self.count:
            self.events.append(got)
        assert "error" not in got, got
        return got["result"]

    def read(self, end):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            piece = os.read(self.back, 1 << 20)
            assert piece, "the browser has ended"
            self.rest += piece
        one, _, self.rest = self.rest.partition(b"\0")
        return json.loads(one)

    def open(self, file, *, width=1200, height=800, scheme="light"):
        """A page of its own with a file in it, drawn."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.call("Emulation.setEmulatedMedia", features=features)
        page.go(file)
        return page


class Page:
    """One page in the browser."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def go(self, file):
        self.url = file.resolve().as_uri()
        self.call("Page.navigate", url=self.url)
        self.until("document.readyState === 'complete' && location.protocol === 'file:'")
        self.drawn()

    def drawn(self):
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def value(self, script):
        got = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")

    def until(self, script):
        end = time.monotonic() + PATIENCE
        while not self.value(script):
            assert time.monotonic() < end, script
            time.sleep(0.01)

    def press(self, *keys):
        """Keys as a keyboard gives them; a text of several letters is typed."""
        for key in keys:
            if len(key) > 1 and key not in CODES:
                self.press(*key)
                continue
            about = {"key": key, "code": KEYS.get(key, key)}
            # Punctuation has no code of its own here: as a number it is that of another key.
            letter = ord(key.upper()) if key.isalnum() and len(key) == 1 else 0
            about["windowsVirtualKeyCode"] = CODES.get(key, letter)
            text = "\r" if key == "Enter" else key if len(key) == 1 else ""
            kind = "keyDown" if text else "rawKeyDown"
            self.call("Input.dispatchKeyEvent", type=kind, text=text, **about)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)
        self.drawn()

    def picture(self, file):
        got = self.call("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(got["data"]))

    def complaints(self):
        """Errors, warnings, broken policies, dialogs, requests: all that a page must not cause."""
        self.drawn()
        told = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, params = event["method"], event["params"]
            asked = params.get("request", {}).get("url")
            if method == "Network.requestWillBeSent" and asked == self.url:
                continue
            if method in (
                "Runtime.consoleAPICalled",
                "Runtime.exceptionThrown",
                "Log.entryAdded",
                "Page.javascriptDialogOpening",
                "Network.requestWillBeSent",
            ):
                told.append((method, params))
        return told


def begin_with(told, wanted):
    assert len(told) == len(wanted)
    return all(one.startswith(start) for one, start in zip(told, wanted, strict=True))


def many(count):
    rows = [
        {
            "id": f"r-{at}",
            "role": "Row",
            "title": f"Row {at}",
            "children": [{"id": f"c-{at}", "role": "Cell", "content": [text(f"word {at * 7919}")]}],
        }
        for at in range(count // 2)
    ]
    return f'{HEAD},"children":{json.dumps(rows)}}}}}'


def text(words):
    return {"type": "text", "text": words}
