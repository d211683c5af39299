"""Names that would hide a package, modules that say nothing, files that say nothing about themselves."""

import ast
from collections.abc import Iterator

from tests.architecture.source import ROOT, SourceFile, source_files

HIDING = {"app", "drivers", "resources"}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
FOREIGN = tuple("/" + name + "/" for name in ("work", "opt/wheels", "opt/pypi"))
"""Places of some one machine."""


def bound_names(file: SourceFile) -> Iterator[tuple[str, ast.AST]]:
    """Each variable, parameter, function and imported alias that the file binds."""
    for node in ast.walk(file.tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node
            case ast.alias(asname=str(name)):
                yield name, node


def test_nothing_hides_one_of_the_three_packages() -> None:
    files = source_files("app", "drivers", "resources", "tests")
    assert [f"{file.at(node)} {name}" for file in files for name, node in bound_names(file) if name in HIDING] == []


def test_modules_are_named_for_what_they_hold() -> None:
    parts = {part for file in source_files() for part in file.name.removesuffix(".py").split("/")}
    assert parts & EMPTY_NAMES == set()


def test_each_file_says_what_it_owns() -> None:
    files = source_files("app", "drivers", "resources", "tests")
    assert [file.name for file in files if file.text.strip() and not ast.get_docstring(file.tree)] == []


def test_each_public_class_says_what_is_true_of_it() -> None:
    silent = [
        f"{file.at(node)} {node.name}"
        for file in source_files()
        for node in file.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_file_names_a_place_of_one_machine() -> None:
    folders = ["app", "drivers", "resources", "tests", "docs", ".ci"]
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [ROOT / name for name in ("README.md", "Makefile", "pyproject.toml", "build.spec")]
    texts = {path: path.read_bytes() for path in files if "__pycache__" not in path.parts and path.exists()}
    assert [str(path) for path, text in texts.items() if any(place.encode() in text for place in FOREIGN)] == []


def test_marks_in_comments_are_the_three_that_are_searched_for() -> None:
    files = source_files("app", "drivers", "resources", "tests")
    unknown = ("# FIX" + "ME", "# XX" + "X", "# HA" + "CK", "# TODO" + ":", "# TODO" + " ")
    assert [file.name for file in files if any(mark in file.text for mark in unknown)] == []
