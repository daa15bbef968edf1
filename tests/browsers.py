"""Firefox and WebKitGTK, opened by their own drivers, for test_browsers.py.

Either shows one page, of a server that puts RECORDER into each page of the book; its frame is as
wide as a phone, which a window cannot be, or as a screen.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from glob import glob
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from chromium import Quiet

WAIT = 60  # seconds for a browser to start, or for a page
RECORDER = """<script>
window.recorded = [];
addEventListener("error", ({ message, target }) => {
  recorded.push(message ?? `not loaded: ${target.src ?? target.href}`);
}, true);
addEventListener("unhandledrejection", (e) => recorded.push(String(e.reason)));
console.error = (...words) => recorded.push(`console: ${words.join(" ")}`);
</script>"""
# Moves each control of a page by a step; returns those whose figure says and draws the same.
CONTROLS = """() => {
  const dead = [];
  document.querySelectorAll(".covered").forEach(e => e.classList.remove("covered"));  // by a guess
  for (const e of document.querySelectorAll(".explore [data-control]")) {
    const figure = e.closest("figure");
    const drawing = () => figure.querySelector(":not([hidden]) > * > svg")?.outerHTML;
    const shown = () => figure.innerText + drawing();
    const before = shown();
    if (e.list) e.value = e.value > 0 ? e.value - 1 : 1;
    else e.selectedIndex = e.selectedIndex ? 0 : 1;
    e.dispatchEvent(new Event("input", { bubbles: true }));
    if (e.disabled || shown() === before) dead.push(`${e.id} does nothing`);
  }
  return dead;
}"""
WINDOW = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Look</title>
<iframe></iframe>
<script>
async function look(address, width, ...checks) {
  const frame = document.querySelector("iframe");
  frame.style = `width: ${width}px; height: 900px; border: 0`;
  await new Promise((done) => { frame.onload = done; frame.src = address; });
  const page = frame.contentWindow, found = [];
  for (const check of checks) found.push(...(await page.eval(`(${check})`)(false)));
  return [...found, ...page.recorded].map((fault) => `${width} px: ${fault}`);
}
</script></html>"""


class Recording(Quiet):
    """A server of the book whose pages note their errors from the start."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if self.path == "/":
            text = WINDOW
        elif path.suffix == ".html" and path.is_file():
            text = path.read_text("utf-8").replace("<head>", f"<head>{RECORDER}", 1)
        else:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())


def program(name):
    """Return the path of a program, or leave a test out; where CI is set it fails."""
    found = shutil.which(name)
    if not found:
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"{name} is not installed: .ci/run says of which package it is")
    return found


def waited(what):
    """Return what a function returns, asked until it has something and nothing is wanting."""
    end = time.monotonic() + WAIT
    while True:
        try:
            if (found := what()) is not None or time.monotonic() > end:
                return found
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


@contextmanager
def running(*command, **options):
    """Run a program until it is needed no longer."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(WAIT)


@contextmanager
def firefox(folder):
    """Start Firefox; yield what gives it a command of Marionette, its own protocol."""
    (folder / "user.js").write_text(
        'user_pref("marionette.port", 0);\n'
        'user_pref("ui.prefersReducedMotion", 1);\n'
        'user_pref("ui.useOverlayScrollbars", 1);\n',  # a bar takes none of a phone's width
        "utf-8",
    )
    command = [program("firefox-esr"), "--headless", "--marionette", "--profile", str(folder)]
    with running(*command, env=os.environ | {"HOME": str(folder)}), ExitStack() as stack:
        port = int(waited((folder / "MarionetteActivePort").read_text))
        connection = waited(lambda: socket.create_connection(("127.0.0.1", port), WAIT))
        stream = stack.enter_context(stack.enter_context(connection).makefile("rwb"))

        def answer():
            length = b"".join(iter(lambda: stream.read(1), b":"))
            return json.loads(stream.read(int(length)))

        def ask(name, **values):
            text = json.dumps([0, 1, f"WebDriver:{name}", values]).encode()
            stream.write(b"%d:%s" % (len(text), text))
            stream.flush()
            _, _, error, value = answer()
            assert error is None, error
            return value

        answer()  # its greeting
        ask("NewSession")
        yield (
            lambda url: ask("Navigate", url=url),
            lambda script, *args: ask("ExecuteScript", script=script, args=args)["value"],
        )


@contextmanager
def webkit(folder):
    """Start WebKitGTK on a display of its own; yield what gives it a command of WebDriver."""
    driver, display = program("WebKitWebDriver"), program("Xvfb")
    browser = max(glob("/usr/lib/*/webkit2gtk-*/MiniBrowser"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    end, start = os.pipe()
    screen = running(display, "-displayfd", str(start), "-nolisten", "tcp", pass_fds=[start])
    with screen, os.fdopen(end) as number:
        home = {"DISPLAY": f":{number.readline().strip()}", "HOME": str(folder)}
        with running(driver, f"--port={port}", env=os.environ | home):

            def ask(path, **values):
                request = Request(
                    f"http://127.0.0.1:{port}/session{path}",
                    json.dumps(values).encode(),
                    {"Content-Type": "application/json"},
                )
                with urlopen(request, timeout=2 * WAIT) as response:
                    return json.load(response)["value"]

            options = {"binary": browser, "args": ["--automation"]}
            wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            at = "/" + waited(lambda: ask("", capabilities=wanted))["sessionId"]
            yield (
                lambda url: ask(f"{at}/url", url=url),
                lambda script, *args: ask(f"{at}/execute/sync", script=script, args=args),
            )
