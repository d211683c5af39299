"""Small scenarios for tests, written as the answers of the model; everything else is filled in."""

from collections.abc import Sequence

from app.rehearsal.scenario import Scenario, parse_scenario

MEMBERS = ("navigate", "read_page", "get_page_text", "click", "type", "select_option", "screenshot", "wait_for")

FORM = "/book?date=2027-05-03&time=19:00&guests=2"

READ = 'browser = "read_page"\narguments = { filter = "all" }'
READ_TEXT = 'browser = "get_page_text"'
TYPE_NAME = 'browser = "type"\narguments = { text = "Ada Park", target = { role = "textbox", label = "Name" } }'
RESERVE = 'browser = "click"\narguments = { target = { role = "button", label = "Reserve table" } }'
OPENING_HOURS = 'function = "opening_hours"\narguments = { day = "Monday" }'
DONE = 'message = "Done."'
DENIED = 'message = "It was not allowed, so I stop."'

CLICK_NAME = '{ type = "click", x = 300, y = 190, button = "left" }'
TYPE_TEXT = '{ type = "type", text = "Ada Park" }'
WAIT = '{ type = "wait" }'
CLICK_RESERVE = '{ type = "click", x = 120, y = 526, button = "left" }'


def batch(*actions: str, safety: str = "") -> str:
    """A computer call of these actions."""
    checks = f'\nsafety = [{{ code = "irreversible", message = "{safety}" }}]' if safety else ""
    return f"computer = [{', '.join(actions)}]{checks}"


def answer(*outputs: str, before: str = "", if_not_done: str = "") -> str:
    """One answer of the model with these outputs; `before` holds keys of the step, such as ``wait_for``."""
    parts = ["[[answers]]", before, *(f"[[answers.output]]\n{output}" for output in outputs)]
    if if_not_done:
        parts.append(f"[[answers.if_not_done]]\n{if_not_done}")
    return "\n".join(parts)


def fault(line: str, *outputs: str) -> str:
    """An answer before which the service misbehaves once, as `line` says."""
    return answer(*(outputs or (DONE,))) + f"\n[[answers.faults]]\n{line}"


def deny(kind: str, *, member: str = "", note: str = "", times: int | None = None, verdict: str = "deny") -> str:
    """An operator who denies asks of that kind and allows everything else."""
    lines = ["[operator]", 'default = "allow"', "[[operator.answers]]", f'kind = "{kind}"', f'answer = "{verdict}"']
    lines += [f'member = "{member}"'] if member else []
    lines += [f'note = "{note}"'] if note else []
    lines += [f"times = {times}"] if times else []
    return "\n".join(lines)


ALLOW = '[operator]\ndefault = "allow"'

GUEST_LIST = """[[mcp]]
label = "guest_list"
url = "https://guest-list.invalid/mcp"
allowed_tools = ["find_guest"]
"""
ASK_GUEST = 'mcp_approval = "find_guest"\nserver = "guest_list"\narguments = { name = "Park" }'
GUEST_FOUND = 'mcp_call = "find_guest"\nserver = "guest_list"\noutput = "1 guest: Ada Park"'


def scene(
    *answers: str,
    operator: str = ALLOW,
    members: Sequence[str] = MEMBERS,
    start: str = FORM,
    keys: str = "",
    mcp: str = "",
) -> Scenario:
    """A scenario of these answers; `keys` are further top-level keys, such as ``computer = true``."""
    named = ", ".join(f'"{member}"' for member in members)
    text = f"""name = "scene"
title = "A scene"
summary = "A scene."
task = "Do as you are told."
start = "{start}"
members = [{named}]
{keys}
{mcp}
{chr(10).join(answers)}
{operator}
[check]
claim = ""
bookings = []
"""
    return parse_scenario(text, source="scene.toml")
