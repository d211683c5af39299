"""What counts as another page or another target than the one that a question was shown with. A repaint never does."""

from typing import Literal

from app.core.evidence import Evidence, Target
from app.core.value import Frozen, Text

WhatChanged = Literal[
    "tab", "origin", "document", "gone", "element", "role", "label", "frame", "hidden", "covered", "leads", "row"
]
"""`gone`: the element cannot be found any more; `element`: another one is in its place or has the focus."""


class Change(Frozen):
    """One difference. `before` and `after` are the page's own words."""

    what: WhatChanged
    before: Text = ""
    after: Text = ""


class Replaced(Frozen):
    """The question that a newer one stands for: withdrawn, because the page had changed under it."""

    ask_id: str
    changes: tuple[Change, ...]
    evidence: Evidence
    """What the withdrawn question was shown with."""


def changes_between(before: Evidence, now: Evidence) -> tuple[Change, ...]:
    """What of `before` does not hold any more. What could not be looked at, then or now, is not compared."""
    return (*_page_changes(before, now), *_target_changes(before, now))


def _page_changes(before: Evidence, now: Evidence) -> tuple[Change, ...]:
    was, page = before.page, now.page
    if was is None or page is None:
        return ()
    if was.tab_id != page.tab_id:
        return (Change(what="tab", before=was.url, after=page.url),)
    if was.origin != page.origin:
        return (Change(what="origin", before=was.origin, after=page.origin),)
    if was.document != page.document:
        return (Change(what="document", before=was.url, after=page.url),)
    return ()


def _target_changes(before: Evidence, now: Evidence) -> tuple[Change, ...]:
    if before.aim == "none" or not before.aimed or not now.aimed:
        return ()
    was, target = before.target, now.target
    if was is None or target is None:
        if was is target:
            return ()
        what: WhatChanged = "gone" if before.aim == "element" else "element"
        return (Change(what=what, before=_name(was), after=_name(target)),)
    if was.ref != target.ref:
        return (Change(what="element", before=_name(was), after=_name(target)),)
    found = []
    if was.role != target.role:
        found.append(Change(what="role", before=was.role, after=target.role))
    if was.label != target.label:
        found.append(Change(what="label", before=was.label, after=target.label))
    if was.frame_origin != target.frame_origin:
        found.append(Change(what="frame", before=was.frame_origin, after=target.frame_origin))
    if was.leads != target.leads:
        found.append(Change(what="leads", before=was.leads_to, after=target.leads_to))
    if was.row_words != target.row_words:
        found.append(Change(what="row", before=was.row, after=target.row))
    if was.visible and not target.visible:
        found.append(Change(what="hidden", before=_name(was)))
    if was.covered_by is None and target.covered_by is not None:
        found.append(Change(what="covered", after=target.covered_by))
    return tuple(found)


def _name(target: Target | None) -> str:
    return "" if target is None else f"{target.role} {target.label}".strip()
