"""Words of code that deserve another colour. Word by word, never by context: no trick makes code look inert."""

import re
from typing import Literal

CodeTone = Literal["text", "accent", "hold"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS = _words(
    """
    and as assert async await break case catch class const continue def del delete do elif else except export extends
    finally for from function global if import in instanceof is lambda let new nonlocal not of or pass raise return
    super switch this throw try typeof var void while with yield None True False true false null undefined
    """
)

REACHING = _words(
    """
    fetch XMLHttpRequest WebSocket EventSource sendBeacon eval Function importScripts cookie localStorage
    sessionStorage indexedDB location open submit requestSubmit click dispatchEvent postMessage navigator clipboard
    credentials setTimeout setInterval innerHTML outerHTML src action href exec compile subprocess system popen socket
    tools requests urllib os sys shutil remove unlink rmtree environ getenv
    """
)
"""What sends, stores, presses, runs or reads beyond what is in sight."""

_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|[^A-Za-z_$]+|.", re.DOTALL)


def toned(text: str) -> list[tuple[str, CodeTone]]:
    """`text` in stretches; together they are exactly `text`."""
    out: list[tuple[str, CodeTone]] = []
    for word in _WORD.findall(text):
        tone: CodeTone = "hold" if word in REACHING else "accent" if word in KEYWORDS else "text"
        if out and out[-1][1] == tone:
            out[-1] = (out[-1][0] + word, tone)
        else:
            out.append((word, tone))
    return out
