"""The project's own Python files, parsed once, for tests that look at how they are written."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "drivers", "resources")


@dataclass(frozen=True)
class SourceFile:
    """One file and its syntax tree; `name` is its path below the project, with `/`."""

    name: str
    text: str
    tree: ast.Module

    def at(self, node: ast.AST) -> str:
        """`file:line` of `node`, for messages."""
        return f"{self.name}:{getattr(node, 'lineno', 0)}"

    def calls(self) -> list[ast.Call]:
        """All calls in the file."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]


@cache
def source_files(*folders: str) -> tuple[SourceFile, ...]:
    """The Python files below `folders` of the project, sorted; the three packages if none is named."""
    found = []
    for folder in folders or PACKAGES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            found.append(SourceFile(path.relative_to(ROOT).as_posix(), text, ast.parse(text)))
    return tuple(found)


def called_name(call: ast.Call) -> str:
    """The last name of what is called: `create_task` of `asyncio.create_task(…)`."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def imported_modules(file: SourceFile, *, types_too: bool = True) -> list[tuple[str, ast.AST]]:
    """The full name of each module, and of each name imported from one, with the node that does it."""
    found: list[tuple[str, ast.AST]] = []
    skipped = set() if types_too else _types_only(file)
    for node in ast.walk(file.tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, node) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(f"{node.module}.{alias.name}", node) for alias in node.names]
    return found


def _types_only(file: SourceFile) -> set[ast.AST]:
    """What stands under `if TYPE_CHECKING`: it loads nothing."""
    blocks = [
        node for node in ast.walk(file.tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    return {inner for block in blocks for part in block.body for inner in ast.walk(part)}
