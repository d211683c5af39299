"""How much hangs on a question, in one word and an order: what cannot be taken back first, reading last."""

from app.core.ask import Ask, AskKind

IRREVERSIBLE = (0, "cannot be taken back")

RISKS: dict[AskKind, tuple[int, str]] = {
    "own_desktop": (1, "uses your desktop"),
    "code": (1, "runs code"),
    "script": (1, "runs code"),
    "file_grant": (2, "hands over a file"),
    "shell": (2, "runs commands"),
    "patch": (2, "changes a file"),
    "mcp_approval": (3, "acts elsewhere"),
    "function_call": (3, "acts elsewhere"),
    "custom_call": (3, "acts elsewhere"),
    "early_call": (3, "acts elsewhere"),
    "safety_checks": (4, "acts"),
    "computer_action": (4, "acts"),
    "browser_action": (4, "acts"),
    "candidate": (4, "acts"),
    "navigation": (5, "opens an address"),
    "protected_read": (6, "reads"),
    "tool_search": (6, "gives tools"),
    "step": (6, "goes on"),
}


def risk_words(ask: Ask) -> str:
    """Such as ``runs code``; constant words."""
    return _risk(ask)[1]


def by_risk(asks: list[Ask]) -> list[Ask]:
    """The riskiest first; among equals the order in which they came."""
    return sorted(asks, key=lambda ask: _risk(ask)[0])


def _risk(ask: Ask) -> tuple[int, str]:
    return IRREVERSIBLE if ask.irreversible else RISKS[ask.kind]
