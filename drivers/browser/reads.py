"""Reports of a page in the SDK's read form: text in reading order, controls with refs, and what was left out."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, cast

from openai.lib.browser import BrowserReadElement, BrowserReadV1, BrowserScopedReadV1

from drivers.browser.controls import LABEL_BYTES, Box, Placed, clip, unpack
from drivers.browser.listeners import MOST, News, ask_singly, decide, listen, tell
from drivers.browser.ranking import rank
from drivers.browser.refs import STALE, Refs
from drivers.browser.tabs import Tab
from drivers.browser.world import World, WorldGone
from drivers.errors import NotDone, PageStuck

TEXT_CHARACTERS = 60_000
ELEMENTS = 2_000
NODES = 400_000
WALK_MILLIS = 1_500
FRAMES = 40
FRAME_DEPTH = 4
ROUNDS = 3
"""Walks of one document in one read while it goes on changing what listens."""

_ORDER = ("report_limit", "text_limit", "target_limit", "work_limit", "frame_limit", "unsupported_root",
          "unsupported_control", "remote_action", "private", "value", "name_limit")  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """A part of a page to be read."""

    root: str | None
    """A scope ref; None means to find the sections only."""
    depth: int
    """Levels below the root that are read."""


@dataclass
class Report:
    """What one read gathered over a page and its frames, before it takes the SDK's form."""

    text: str = ""
    elements: list[dict[str, Any]] = field(default_factory=list)
    omit: set[str] = field(default_factory=set)
    placed: Placed = field(default_factory=Placed)
    """Where the main document's controls stand."""
    frames: int = 0
    scope: Scope | None = None
    scopes: list[dict[str, str]] = field(default_factory=list)
    marks: bool = True
    """Whether headings, list items, links' addresses and frames are marked in the text."""
    roles: bool = False
    """Whether each control's role on the page stands beside the SDK's."""

    def sdk_form(self) -> BrowserReadV1:
        """The report as the SDK takes it."""
        for element in self.elements if self.roles else ():
            del element["true_role"]
        elements = cast(list[BrowserReadElement], self.elements)
        omitted = [code for code in _ORDER if code in self.omit]
        return cast(BrowserReadV1, {"version": 1, "text": self.text, "elements": elements, "omitted": omitted})


class Reader:
    """Reads one page at a time; whatever the page is like, a read ends within a stated time and size."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._one = asyncio.Lock()
        self._placed = Placed()

    @property
    def boxes(self) -> dict[str, Box]:
        """Where the main document's elements of the newest read stood, for a person's picture of it."""
        return self._placed.boxes

    async def page(self, tab: Tab, *, interactive: bool) -> BrowserReadV1:
        """The controls, and unless only those are wanted, the text with its links' addresses."""
        report = await self.gather(tab, text=0 if interactive else TEXT_CHARACTERS, elements=ELEMENTS)
        return report.sdk_form()

    async def text(self, tab: Tab) -> BrowserReadV1:
        """The visible text alone."""
        report = await self.gather(tab, text=TEXT_CHARACTERS, elements=0)
        report.elements.clear()
        report.omit.discard("target_limit")
        report.omit.discard("private")
        return report.sdk_form()

    async def scoped(self, tab: Tab, root: str | None, *, depth: int, interactive: bool) -> BrowserScopedReadV1:
        """The sections of a page, or one section's text, controls and inner sections."""
        text = 0 if interactive or root is None else TEXT_CHARACTERS
        elements = 0 if root is None else ELEMENTS
        report = await self.gather(tab, text=text, elements=elements, scope=Scope(root, depth))
        out = report.sdk_form()
        scopes = [{"ref": s["ref"], "label": clip(s["label"], LABEL_BYTES)} for s in report.scopes]
        return cast(BrowserScopedReadV1, {**out, "scopes": scopes})

    async def plain(self, tab: Tab) -> str:
        """The visible words alone, on one line: no marks for headings and lists, no addresses."""
        report = await self.gather(tab, text=TEXT_CHARACTERS * 4, elements=0, marks=False)
        return " ".join(report.text.split())

    async def find(self, tab: Tab, query: str) -> BrowserReadV1:
        """The controls that fit the words best, best first, and the lines of text that hold them."""
        if not query.strip():
            raise NotDone("Say in a few words what to find.")
        report = await self.gather(tab, text=TEXT_CHARACTERS, elements=ELEMENTS, roles=True)
        report.elements, report.text = rank(query, report.elements, report.text)
        return report.sdk_form()

    async def gather(
        self,
        tab: Tab,
        *,
        text: int,
        elements: int,
        marks: bool = True,
        roles: bool = False,
        scope: Scope | None = None,
    ) -> Report:
        """Walk the main document and its frames."""
        async with self._one:
            report = Report(marks=marks, roles=roles, scope=scope)
            if not await self._at_once(tab, report, text=text, elements=elements):
                report = await self._in_turn(tab, report, text=text, elements=elements)
            if elements:
                self._placed = report.placed
            return report

    async def _at_once(self, tab: Tab, report: Report, *, text: int, elements: int) -> bool:
        """Read the document that was there last; False when the tab shows another one by now."""
        await tab.ready()
        known = tab.worlds.newest()
        if known is None or (report.scope is not None and report.scope.root is not None):
            return False
        try:
            await self._walk(known, report, text=text, elements=elements, depth=0)
        except WorldGone:
            return False
        return True

    async def _in_turn(self, tab: Tab, blank: Report, *, text: int, elements: int) -> Report:
        for _ in range(3):
            report = Report(marks=blank.marks, roles=blank.roles, scope=blank.scope)
            try:
                world = await self._root(tab, blank.scope)
                await self._walk(world, report, text=text, elements=elements, depth=0)
            except WorldGone:
                continue
            return report
        raise PageStuck("The page kept being replaced while it was read.")

    async def _root(self, tab: Tab, scope: Scope | None) -> World:
        if scope is None or scope.root is None:
            return await tab.worlds.main()
        world = self._refs.scope_world(scope.root, tab_id=tab.id)
        try:
            await world.evaluate("0")
        except WorldGone:
            raise NotDone(STALE) from None
        return world

    async def _walk(self, world: World, report: Report, *, text: int, elements: int, depth: int) -> None:
        options: dict[str, object] = {
            "text": max(0, text - len(report.text)) if text else 0,
            "elements": max(0, elements - len(report.elements)),
            "nodes": NODES,
            "millis": WALK_MILLIS,
            "frames": FRAMES if depth < FRAME_DEPTH else 0,
            "marks": report.marks,
            "roles": report.roles,
        }
        if report.scope is not None:
            options |= {"scopes": True, "scope": report.scope.root if depth == 0 else None, "depth": report.scope.depth}
        found = await self._found(world, options)
        if elements and not world.heard.whole:
            report.omit.add("work_limit")
        if "refused" in found:
            raise NotDone(STALE if found["refused"] == "gone" else "The section is hidden now. Read the page again.")
        report.scopes.extend(found.get("scopes", []))
        report.omit.update(found["omit"])
        elements_here = found["elements"]
        if depth == 0:
            report.placed = found["placed"]
        segments: list[str] = found["segments"]
        at = 0
        for segment, frame in zip(segments, found["frames"], strict=False):
            _join(report, segment)
            report.elements.extend(elements_here[at : frame["at"]])
            at = frame["at"]
            await self._frame(world, frame["key"], report, text=text, elements=elements, depth=depth)
        _join(report, segments[-1])
        report.elements.extend(elements_here[at:])

    async def _found(self, world: World, options: dict[str, object]) -> dict[str, Any]:
        """What the page scripts find when they know which elements listen; most often they do.

        What a page changes under way is asked after again, but not for ever.
        """
        if not options["elements"]:
            return await self._asked(world, options)
        way = world.heard.way
        if way is None:
            way = await decide(world)
            news = await listen(world) if way == "together" else None
            if news is not None:
                await tell(world, news)
        if way == "not":
            found = await self._asked(world, options)
        else:
            for _ in range(ROUNDS):
                found, changed = await (self._singly if way == "singly" else self._together)(world, options)
                if not changed:
                    return found
        found["omit"].append("work_limit")
        return found

    async def _together(self, world: World, options: dict[str, object]) -> tuple[dict[str, Any], bool]:
        """A walk, and beside it the question what listens; whether the walk did not know it all."""
        found, news = await asyncio.gather(self._asked(world, options), listen(world), return_exceptions=True)
        if isinstance(found, BaseException):
            raise found
        if not isinstance(news, News):
            return found, False
        return found, await tell(world, news)

    async def _singly(self, world: World, options: dict[str, object]) -> tuple[dict[str, Any], bool]:
        """A walk that leaves what may listen, and then a question for each of these."""
        found = await self._asked(world, {**options, "ask": MOST})
        return found, await ask_singly(world, whole=not found["more"])

    async def _asked(self, world: World, options: dict[str, object]) -> dict[str, Any]:
        # Another document's context may have the number of one that is gone; the walk is begun in none but its own.
        here = f"globalThis.signalboxWorld === {json.dumps(world.document_id)}"
        async with self._refs.issuing:
            walk = f"(signalbox.{self._refs.start}, signalbox.walk({json.dumps(options)}))"
            answer = await world.evaluate(f"{here} ? {walk} : null")
            if answer is None:
                raise WorldGone("the document of this number is another one")
            found = unpack(answer, roles=bool(options["roles"]))  # while the browser answers what else it was asked
            self._refs.issued(world, int(found["next"]))
        return found

    async def _frame(self, world: World, key: int, report: Report, *, text: int, elements: int, depth: int) -> None:
        report.frames += 1
        if report.frames > FRAMES:
            report.omit.add("frame_limit")
            return
        try:
            inner = await world.tab.worlds.child(world, key)
            if inner is None:
                report.omit.add("unsupported_root")
                return
            before = report.text
            if text and report.marks:
                _join(report, "[frame]" if inner.origin == world.origin != "null" else f"[frame {inner.origin}]")
            opened = report.text
            await self._walk(inner, report, text=text, elements=elements, depth=depth + 1)
            if not report.marks:
                return
            if report.text != opened:
                _join(report, "[end of frame]")
            else:
                report.text = before
        except WorldGone:
            report.omit.add("unsupported_root")


def _join(report: Report, more: str) -> None:
    if more:
        report.text = f"{report.text}\n{more}" if report.text else more
