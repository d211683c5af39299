"""What a card says of an ask, as lines: where, on what, which call, what lies on top, and what is odd about it.

Built only from the ask itself. Nothing that the model said about its call comes in here.
"""

import json

from app.core.ask import Ask
from app.core.describe import ASK_TITLES, CHANGES
from app.core.evidence import DESKTOP, FileFacts, Target, ToolsFound
from app.core.habit import DIFFERS, FAST_FROM
from app.core.offer import CHOSEN_BY
from app.core.patching import counts
from app.core.shown_address import ShownAddress, shown_address
from app.core.untrusted import findings, size_of
from app.core.value import Json
from app.views.decision.arguments import INLINE_CHARS, duplicate_keys, raw_differs
from app.views.widgets.text_flow import Line, Outside, Run, Words

_CALL_LABELS = {
    "browser": "Call",
    "computer": "Action",
    "functions": "Function",
    "mcp": "Tool",
    "code": "Code",
    "run": "Step",
}
_BATCH_ROWS = 12
_SIBLING_CHARS = 120
_DIFFERENCES = 8
_PREVIEW_CHARS, _PREVIEW_LINES = 300, 6


def lines_before(ask: Ask) -> list[Line]:
    """What stands above the arguments."""
    lines = [*_held(ask), *_different(ask), *_asked_anew(ask), *_joined(ask)]
    going_to = _going_to(ask)
    if going_to is not None:
        lines += _written_address(going_to)
    lines += _page(ask, "Site" if going_to is None else "Site now")
    if ask.server_label is not None:
        lines.append(_named("Server", ask.server_label))
        lines += _notes(ask.server_label)
    if ask.evidence.target is not None:
        lines += _element(ask.evidence.target, ask.evidence.page.origin if ask.evidence.page else None)
    lines += _file(ask.evidence.file)
    lines += _patch(ask)
    lines += _tools(ask.evidence.tools)
    lines += _chosen(ask)
    return [*lines, *_call(ask), *_caller(ask), *_code_change(ask)]


def _caller(ask: Ask) -> list[Line]:
    """That the model does not make the call itself, or goes on without its result."""
    lines = []
    if ask.program is not None:
        lines.append(Line((Words("a program of the model, run by the service"),), label="Called by"))
    if ask.background:
        lines.append(Line((Words("in the background; the model goes on and reads the result later"),), label="Runs"))
    if ask.kind == "custom_call":
        lines.append(Line((Words("it is given this text, exactly as it stands"),), label="Input"))
    return lines


def _code_change(ask: Ask) -> list[Line]:
    """How code differs from what was allowed last; its new lines are marked where it stands."""
    change = ask.code_change
    if change is None:
        return []
    before = f"the code allowed last (ask {change.ask_id.lstrip('a').lstrip('0')})"
    if not change.lines and not change.gone_lines:
        return [Line((Words(f"not from {before}: it is the same"),), label="Differs")]
    count = sum(last - first + 1 for first, last in change.lines)
    said = f"{count:,} line{'' if count == 1 else 's'} new or changed against {before}, marked +"
    lines = [Line((Words(said, "hold"),), label="Differs")]
    if change.gone_lines:
        gone = f"{change.gone_lines:,} line{'' if change.gone_lines == 1 else 's'} of it not there any more"
        lines.append(Line((Words(gone, "hold"),), label=""))
    for at, line in enumerate(change.gone):
        lines.append(Line((Words("− ", "hold"), Outside(line, tone="dim")), label="Gone" if at == 0 else ""))
    return lines


def lines_after(ask: Ask) -> list[Line]:
    """What stands below the arguments."""
    lines: list[Line] = []
    target = ask.evidence.target
    if target is not None:
        covered = target.covered_by
        runs: tuple[Run, ...] = (
            (Words("nothing"),) if covered is None else (Outside(covered, quoted=True, tone="hold"),)
        )
        lines.append(Line(runs, label="On top of it"))
    lines += _points(ask)
    lines += _raw(ask)
    if ask.evidence.missing:
        runs = tuple(run for code in ask.evidence.missing for run in (Outside(code, quoted=True), Words("  ")))
        lines.append(Line(runs, label="Not known"))
    lines += _batch(ask)
    return lines


def place_words(ask: Ask, call_place: tuple[int, int] | None) -> str:
    """``ask 7 · call 4 of turn 3``; `call_place` is (call, calls) of the turn where it is known."""
    number = ask.ask_id.lstrip("a").lstrip("0") or "0"
    place = f"turn {ask.turn}" if call_place is None else f"call {call_place[0]} of {call_place[1]} in turn {ask.turn}"
    said = f"ask {number} · {place}" if number.isdecimal() and number.isascii() else place
    return f"action {ask.part} of {ask.parts} · {said}" if ask.parts > 1 else said


def _joined(ask: Ask) -> list[Line]:
    """That one answer counts for several questions about the same call."""
    if not ask.joined:
        return []
    also = ", ".join(ASK_TITLES[kind].lower() for kind in ask.joined)
    words = f"{1 + len(ask.joined)} questions, one answer for each: {ASK_TITLES[ask.kind].lower()}, {also}"
    return [Line((Words(words),), label="Asks")]


def _held(ask: Ask) -> list[Line]:
    if not ask.everything_held:
        return []
    return [Line((Words("Everything is held: no rule allows anything", "hold", "small"),), label="")]


def _different(ask: Ask) -> list[Line]:
    """What is not as in the last question of the like, which was allowed; and how fast answers are given."""
    habit = ask.habit
    if habit is None:
        return []
    lines: list[Line] = []
    for at, one in enumerate(habit.differs[:_DIFFERENCES]):
        runs: list[Run] = [Words(DIFFERS[one.what], "hold")]
        runs += [Words(" of "), Outside(one.name)] if one.name else []
        for word, value in ((", was ", one.before), (", now ", one.now)):
            runs += [Words(word, "dim"), Outside(value, quoted=True)]
        lines.append(Line(tuple(runs), label="Different" if at == 0 else ""))
        lines += _notes(one.now)
    if habit.differs:
        words = f"{habit.alike:,} alike were allowed in a row before this one"
        lines.append(Line((Words(words, "dim", "small"),), label=""))
    if habit.answered_in_last_minute >= FAST_FROM:
        words = f"{habit.answered_in_last_minute:,} questions answered within the last minute"
        lines.append(Line((Words(words, "hold", "small"),), label=""))
    return lines


def _asked_anew(ask: Ask) -> list[Line]:
    """That this question stands for another one, and what was different on the page then."""
    if ask.replaces is None:
        return []
    lines = [Line((Words("The page changed under the last question; nothing was done", "hold"),), label="Asked anew")]
    for change in ask.replaces.changes:
        runs: list[Run] = [Words(CHANGES[change.what])]
        for word, value in (("  was ", change.before), ("  now ", change.after)):
            if value:
                runs += [Words(word, "dim"), Outside(value, quoted=True)]
        lines.append(Line(tuple(runs), label=""))
        lines += [*_notes(change.before), *_notes(change.after)]
    return lines


def _going_to(ask: Ask) -> str | None:
    """The address that the action opens, as it was written."""
    if ask.url is not None:
        return ask.url
    url = ask.arguments.get("url") if isinstance(ask.arguments, dict) else None
    return url if ask.source == "browser" and isinstance(url, str) else None


def _page(ask: Ask, label: str) -> list[Line]:
    page = ask.evidence.page
    if page is None:
        return []
    if page.tab_id == DESKTOP:
        lines = [Line((Outside(page.url, strong=True),), label="Screen")]
        return lines + ([_named("Keys go to", page.title), *_notes(page.title)] if page.title else [])
    address = shown_address(page.url)
    lines = [Line(_address_runs(address), label=label)]
    lines += [_warning(words) for words in address.warnings]
    if ask.unasked_site:
        lines.append(_warning("nobody allowed this site: the page led here by itself"))
    if page.title:
        lines.append(_named("Title", page.title))
        lines += _notes(page.title)
    return lines


def _written_address(url: str) -> list[Line]:
    address = shown_address(url)
    lines = [Line(_address_runs(address), label="Opens")] if address.is_address else []
    if not address.is_address or not address.same_as_written:
        lines.append(Line((Outside(url, quoted=True),), label="As written"))
    lines += [_warning(words) for words in address.warnings]
    return lines + _notes(url)


def _address_runs(address: ShownAddress) -> tuple[Run, ...]:
    if not address.host:
        return (Outside(address.whole),)
    before, after = Outside(address.before_host, tone="dim"), Outside(address.after_host, tone="dim")
    sub, domain, port = address.host_parts
    host: list[Run] = [Outside(sub)] if sub else []
    host.append(Outside(domain, strong=True))
    host += [Outside(port)] if port else []
    return (before, Words(" "), *host, Words(" "), after)


def _element(target: Target, page_origin: str | None) -> list[Line]:
    if target.role == "window" and page_origin == target.frame_origin == "":
        return [Line((Outside(target.label, quoted=True),), label="Window of"), *_notes(target.label)]
    runs: list[Run] = [Outside(target.role), Words(" "), Outside(target.label, quoted=True)]
    if target.frame_origin == page_origin or page_origin is None:
        runs.append(Words(" · main frame" if page_origin else " · frame "))
    else:
        runs.append(Words(" · in a frame of "))
    if target.frame_origin != page_origin:
        runs.append(Outside(target.frame_origin, strong=True, tone="hold"))
    lines = [Line(tuple(runs), label="Element"), *_notes(target.label)]
    if target.reads_otherwise:
        said = (Words("! its name is not what it reads on the page: ", "hold"), Outside(target.reads, quoted=True))
        lines += [Line(said, label=""), *_notes(target.reads)]
    if target.leads_away:
        lines.append(Line((Words("! ", "hold"), *_address_runs(shown_address(target.leads_to))), label="Leads to"))
    return lines


def _file(file: FileFacts | None) -> list[Line]:
    if file is None:
        return []
    if file.direction == "download":
        return [Line((Words("fetched into the folder for downloads, under a name of ours"),), label="File"),
                *_written_address(file.url)]  # fmt: skip
    lines = [_named("File", file.name), *_notes(file.name)]
    lines.append(Line((Words(f"{file.size:,} bytes"),), label="Size"))
    lines.append(Line((Outside(file.sha256, tone="dim"),), label="SHA-256"))
    if file.preview:
        begins = "\n".join(file.preview[:_PREVIEW_CHARS].split("\n")[:_PREVIEW_LINES])
        lines.append(Line((Outside(begins, "block", quoted=True),), label="Begins"))
        lines += _notes(file.preview)
    else:
        lines.append(Line((Words("no text: it cannot be shown here", "hold"),), label="Begins"))
    return lines


def _patch(ask: Ask) -> list[Line]:
    """Which file a patch is about, and what it was and will be; what changes stands below in full."""
    patch = ask.evidence.patch
    if patch is None:
        return []
    come, go = counts(patch.change)
    words = f"{come:,} added, {go:,} removed; all of it stands below"
    if not patch.before:
        words = f"the file is new; {words}"
    elif not patch.after:
        words = f"the file is deleted; {words}" if patch.change else "the file, which is no text or empty, is deleted"
    lines = [_named("Folder", patch.folder), _named("File", patch.path), *_notes(patch.path)]
    lines.append(Line((Words(words, "text" if patch.after else "hold"),), label="Changes"))
    for label, value in (("Before", patch.before), ("After", patch.after)):
        runs: tuple[Run, ...] = (Outside(value, tone="dim"),) if value else (Words("no such file", "dim"),)
        lines.append(Line((Words("SHA-256  ", "dim", "small"), *runs), label=label))
    return lines


def _tools(found: ToolsFound | None) -> list[Line]:
    """What a search would give the model."""
    if found is None:
        return []
    if not found.names:
        return [Line((Words("nothing that fits"),), label="Gives")]
    return [
        line
        for at, name in enumerate(found.names)
        for line in (Line((Outside(name),), label="" if at else "Gives"), *_notes(name))
    ]


def _chosen(ask: Ask) -> list[Line]:
    """The candidate's own description: what the model, or the operator, chose by."""
    if ask.offer is None:
        return []
    described = next((one.description for one in ask.offer.candidates if one.candidate_id == ask.offer.chosen), "")
    whose = Words(f"  {CHOSEN_BY[ask.offer.chosen_by]}", "hold", "small")
    return [Line((Outside(described, quoted=True), whose), label="Chosen"), *_notes(described)]


def _call(ask: Ask) -> list[Line]:
    prefix = "browser_" if ask.source == "browser" else ""
    label = _CALL_LABELS.get(ask.source, "Call")
    if ask.kind == "safety_checks":
        label = "Call"
    if ask.kind == "custom_call":
        label = "Custom tool"
    return [
        Line((Outside(prefix), Outside(ask.member)) if prefix else (Outside(ask.member),), label=label),
        *_notes(ask.member),
    ]


def _points(ask: Ask) -> list[Line]:
    picture = ask.evidence.picture
    if picture is None:
        return []
    beyond = [
        point
        for point in ask.evidence.points
        if not (0 <= point.x < picture.css_width and 0 <= point.y < picture.css_height)
    ]
    return (
        [_warning(f"{len(beyond):,} of {len(ask.evidence.points):,} points lie outside the picture")] if beyond else []
    )


def _raw(ask: Ask) -> list[Line]:
    if ask.raw_arguments is None:
        return []
    doubled = duplicate_keys(ask.raw_arguments)
    lines = []
    if doubled:
        runs: list[Run] = [Words("given more than once, the last one counts: ", "hold")]
        for key in doubled[:8]:
            runs += [Outside(key, quoted=True), Words(" ")]
        lines.append(Line(tuple(runs), label="Keys"))
    elif raw_differs(ask.raw_arguments, ask.arguments):
        lines.append(_warning("the model's own text differs from what will run"))
    if lines and len(ask.raw_arguments) <= INLINE_CHARS:
        lines.append(Line((Outside(ask.raw_arguments),), label="Model's text"))
    elif lines:
        start = ask.raw_arguments[:INLINE_CHARS]
        words = Words(f" … {size_of(ask.raw_arguments).words}", "dim", "small")
        lines.append(Line((Outside(start), words), label="Model's text"))
    return lines


def _batch(ask: Ask) -> list[Line]:
    if len(ask.siblings) < 2:
        return []
    first = max(0, min(ask.part - 1 - _BATCH_ROWS // 2, len(ask.siblings) - _BATCH_ROWS))
    rows = list(enumerate(ask.siblings))[first : first + _BATCH_ROWS]
    lines = [_sibling(at, action, at == ask.part - 1, "Batch" if at == first else "") for at, action in rows]
    left = len(ask.siblings) - len(rows)
    return [*lines, Line((Words(f"and {left:,} more, each asked by itself", "dim"),), label="")] if left else lines


def _sibling(at: int, action: Json, is_this: bool, label: str) -> Line:
    kind = action.get("type") if isinstance(action, dict) else None
    fields = {key: value for key, value in action.items() if key != "type"} if isinstance(action, dict) else action
    runs: list[Run] = [Words(f"{at + 1}  ", "dim"), Outside(kind if isinstance(kind, str) else "?", strong=is_this)]
    if is_this:
        runs.append(Words("  this one", "hold", "small"))
    elif fields:
        written = json.dumps(fields, ensure_ascii=False)
        runs += [Words("  "), Outside(written[:_SIBLING_CHARS], tone="dim")]
        if len(written) > _SIBLING_CHARS:
            runs.append(Words(f" … {size_of(written).words}", "dim", "small"))
    return Line(tuple(runs), label=label)


def _named(label: str, value: str) -> Line:
    return Line((Outside(value, quoted=True),), label=label)


def _notes(value: str) -> list[Line]:
    return [_warning(words) for words in findings(value)]


def _warning(words: str) -> Line:
    return Line((Words("! " + words, "hold"),), label="")
