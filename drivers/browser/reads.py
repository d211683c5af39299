"""Reports of a page in the SDK's read form: text in reading order, controls with refs, and what was left out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

from openai.lib.browser import BrowserReadElement, BrowserReadV1, BrowserScopedReadV1

from drivers.browser.listeners import mark_listeners
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
LABEL_BYTES = 256
VALUE_BYTES = 512

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
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    """By ref, in CSS pixels of the tab's viewport; for elements of the main document only."""
    frames: int = 0
    scope: Scope | None = None
    scopes: list[dict[str, str]] = field(default_factory=list)
    marks: bool = True
    """Whether headings, list items, links' addresses and frames are marked in the text."""

    def sdk_form(self) -> BrowserReadV1:
        """The report as the SDK takes it."""
        elements = [cast(BrowserReadElement, clean_element(e, self.omit)) for e in self.elements]
        omitted = [code for code in _ORDER if code in self.omit]
        return cast(BrowserReadV1, {"version": 1, "text": self.text, "elements": elements, "omitted": omitted})


class Reader:
    """Reads one page at a time; whatever the page is like, a read ends within a stated time and size."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._one = asyncio.Lock()
        self.boxes: dict[str, tuple[float, float, float, float]] = {}
        """Where the elements of the newest read stood, for a person's picture of it."""

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
        report = await self.gather(tab, text=TEXT_CHARACTERS, elements=ELEMENTS)
        report.elements, report.text = rank(query, report.elements, report.text)
        return report.sdk_form()

    async def gather(
        self, tab: Tab, *, text: int, elements: int, marks: bool = True, scope: Scope | None = None
    ) -> Report:
        """Walk the main document and its frames."""
        async with self._one:
            report = Report()
            for attempt in (1, 2, 3):
                try:
                    world = await self._root(tab, scope)
                    report = Report(marks=marks, scope=scope)
                    await self._walk(world, report, text=text, elements=elements, depth=0)
                    break
                except WorldGone:
                    if attempt == 3:
                        raise PageStuck("The page kept being replaced while it was read.") from None
            if elements:
                self.boxes = report.boxes
            return report

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
        }
        if report.scope is not None:
            options |= {"scopes": True, "scope": report.scope.root if depth == 0 else None, "depth": report.scope.depth}
        if elements and not await mark_listeners(world):
            report.omit.add("work_limit")
        async with self._refs.issuing:
            found = await world.call(f"{self._refs.start}, signalbox.walk", options)
            self._refs.issued(world, int(found["next"]))
        if "refused" in found:
            raise NotDone(STALE if found["refused"] == "gone" else "The section is hidden now. Read the page again.")
        report.scopes.extend(found.get("scopes", []))
        report.omit.update(found["omit"])
        if depth == 0:
            report.boxes.update({e["ref"]: tuple(e["box"]) for e in found["elements"]})
        segments: list[str] = found["segments"]
        at = 0
        for segment, frame in zip(segments, found["frames"], strict=False):
            _join(report, segment)
            report.elements.extend(found["elements"][at : frame["at"]])
            at = frame["at"]
            await self._frame(world, frame["key"], report, text=text, elements=elements, depth=depth)
        _join(report, segments[-1])
        report.elements.extend(found["elements"][at:])

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
                _join(report, f"[frame {inner.origin}]" if inner.origin != world.origin else "[frame]")
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


def clip(text: str, limit: int) -> str:
    """Cut to *limit* UTF-8 bytes at a character's edge."""
    encoded = text.encode("utf-8", errors="replace")
    return text if len(encoded) <= limit else encoded[: limit - 3].decode("utf-8", errors="ignore") + "…"


def clean_element(element: dict[str, Any], omit: set[str]) -> dict[str, Any]:
    """Keep the SDK's fields within the SDK's sizes; what had to be cut is told by a code."""
    label = clip(element["label"], LABEL_BYTES)
    if label != element["label"]:
        omit.add("name_limit")
    out: dict[str, Any] = {"ref": element["ref"], "role": element["role"], "label": label}
    if "value" in element:
        out["value"] = _value(element["value"], omit)
    if "checked" in element:
        out["checked"] = element["checked"]
    if "options" in element:
        out["options"] = [_option(option, omit) for option in element["options"]]
    return out


def _value(value: str, omit: set[str]) -> str:
    cut = clip(value, VALUE_BYTES)
    if cut != value:
        omit.add("value")
    return cut


def _option(option: dict[str, Any], omit: set[str]) -> dict[str, Any]:
    label = clip(option["label"], LABEL_BYTES)
    if label != option["label"]:
        omit.add("name_limit")
    out: dict[str, Any] = {"label": label, "value": _value(option["value"], omit)}
    if "selected" in option:
        out["selected"] = option["selected"]
    return out
