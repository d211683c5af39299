"""The test's side of MiniWoB++: the package's pages on loopback, the start of an episode and its reward."""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.async_api import Error, Page

from tests.conformance.miniwob.letters import SHEET, sheet

EPISODE_MILLIS = 120_000
"""A page's own limit of ten seconds is for players that ask nobody."""

END_MILLIS = 600
"""Some pages end their episode a little after the last press."""

_START = """([seed, millis]) => { Math.seedrandom(String(seed)); core.EPISODE_MAX_TIME = millis;
core.startEpisodeReal(); return core.getUtterance() }"""
_PICTURES = """async () => {
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].map((rule) => [rule.cssText, sheet.href]));
  const named = rules.flatMap(([text, from]) => [...text.matchAll(/url\\("?([^")]+)"?\\)/g)].map(([, url]) =>
    new URL(url, from ?? document.baseURI).href));
  globalThis.picturesKept = named.map((url) => Object.assign(new Image(), {src: url}));
  await Promise.allSettled(picturesKept.map((picture) => picture.decode()));
}"""

_STILL = """() => {
  const Real = Date, due = new Map();
  let now = Real.now(), next = 1;
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length) super(...given); else super(now) }
    static now() { return now }
  };
  const timer = (again) => (call, millis = 0, ...given) => {
    due.set(next, {at: now + millis, every: again && Math.max(1, millis), call, given});
    return next++;
  };
  [globalThis.setTimeout, globalThis.setInterval] = [timer(false), timer(true)];
  globalThis.clearTimeout = globalThis.clearInterval = (id) => { due.delete(id) };
  globalThis.timePasses = (millis) => {
    const end = now + millis, first = () => [...due].sort(([, a], [, b]) => a.at - b.at)[0];
    for (let one = first(); one && one[1].at <= end; one = first()) {
      const [id, {at, every, call, given}] = one;
      now = Math.max(now, at);
      if (every) one[1].at += every; else due.delete(id);
      call(...given);
    }
    now = end;
  };
}"""
"""A page's timers and dates go by a clock of the player's."""

_REWARD = "() => ({done: WOB_DONE_GLOBAL, raw: WOB_RAW_REWARD_GLOBAL})"


@dataclass(frozen=True)
class Instruction:
    """What a player is told."""

    words: str
    fields: dict[str, str] = field(default_factory=dict)
    """The same in parts, where the page gives them."""


def folder() -> Path:
    """Where the package keeps its pages; its own code is never imported."""
    found = importlib.util.find_spec("miniwob")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "html"


def task_names() -> list[str]:
    """Every task page of the package."""
    return sorted(page.stem for page in (folder() / "miniwob").glob("*.html"))


class _Quiet(SimpleHTTPRequestHandler):
    # A browser opens connections in reserve and asks nothing over them: each would keep a thread for minutes.
    timeout = 10.0
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".html": "text/html; charset=utf-8"}

    def do_GET(self) -> None:
        """The package's files, and the player's sheet of letters."""
        path, _, query = self.path.partition("?")
        if path != SHEET:
            super().do_GET()
            return
        body = sheet(int(query)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def served() -> Iterator[str]:
    """The pages on a loopback port; gives the address of the tasks' folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder()))) as server:
        thread = threading.Thread(target=server.serve_forever, name="miniwob pages")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/miniwob"
        finally:
            server.shutdown()
            thread.join()


async def start(page: Page, seed: int) -> Instruction:
    """Begin an episode.

    Some marks are nothing but a picture, another one under the pointer: until it has come there is nothing to press.
    """
    await page.evaluate(_PICTURES)
    told = await page.evaluate(_START, [seed, EPISODE_MILLIS])
    if isinstance(told, str):
        return Instruction(told)
    return Instruction(told["utterance"], told["fields"])


async def stop_the_clock(page: Page) -> None:
    """From now on time passes in the page only by `time_passes`."""
    await page.evaluate(_STILL)


async def time_passes(page: Page, millis: float) -> None:
    """Whatever the page had set going for that time comes, in its order."""
    await page.evaluate("(millis) => timePasses(millis)", millis)


async def reward(page: Page) -> float | None:
    """The page's own raw reward, -1 to 1; None when the episode is not over."""
    with suppress(Error):
        await page.wait_for_function("() => WOB_DONE_GLOBAL", timeout=END_MILLIS)
    state = await page.evaluate(_REWARD)
    return float(state["raw"]) if state["done"] else None
