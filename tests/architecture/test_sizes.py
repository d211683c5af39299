"""Files and functions stay of a size that one reads in one go."""

import ast
from statistics import median, quantiles

from tests.architecture.source import SourceFile, source_files

MAX_FILE_LINES = 400
MAX_MEDIAN_FILE_LINES = 120
MAX_FUNCTION_LINES = 80
MAX_P95_FUNCTION_LINES = 45


def lines_of(file: SourceFile) -> int:
    return len(file.text.splitlines())


def function_lengths() -> dict[str, int]:
    return {
        f"{file.at(node)} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for file in source_files()
        for node in ast.walk(file.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_no_file_is_too_long() -> None:
    everything = source_files("app", "drivers", "resources", "tests")
    assert {file.name: lines_of(file) for file in everything if lines_of(file) > MAX_FILE_LINES} == {}


def test_the_median_file_is_short() -> None:
    assert median(lines_of(file) for file in source_files()) <= MAX_MEDIAN_FILE_LINES


def test_no_function_is_too_long() -> None:
    assert {name: lines for name, lines in function_lengths().items() if lines > MAX_FUNCTION_LINES} == {}


def test_nearly_all_functions_are_short() -> None:
    assert quantiles(function_lengths().values(), n=20)[-1] <= MAX_P95_FUNCTION_LINES
