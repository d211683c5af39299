"""What a run will not ask, in words, said on the command line before it starts."""

from app.core.asked_ahead import foretell
from app.core.plan import RunPlan
from app.core.untrusted import shown


def unasked_words(plan: RunPlan) -> list[str]:
    """One line for each thing that is done or denied without a question; empty where everything is asked."""
    lines = []
    for one in foretell(plan):
        if one.word == "asked":
            continue
        names = "".join(f" “{shown(name)}”" for name in one.names)
        why = f" · {one.why}" if one.why else ""
        quoted = "".join(f" “{shown(text)}”" for text in one.quoted)
        lines.append(f"{one.word}: {', '.join(one.what)}{names}{why}{quoted}")
    return lines
