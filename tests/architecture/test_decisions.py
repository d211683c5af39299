"""One place where an ask becomes a decision: only the gate, and the codec that reads saved ones, makes a `Decision`."""

import ast

from tests.architecture.source import source_files

MAKERS = {"app/gate/gate.py", "app/ledger/codec.py"}


def test_only_the_gate_makes_a_decision() -> None:
    ways = {"Decision", "Decision.model_validate", "Decision.model_construct", "Decision.model_validate_json"}
    found = [
        file.at(call)
        for file in source_files()
        if file.name not in MAKERS
        for call in file.calls()
        if ast.unparse(call.func).removeprefix("decision.") in ways
    ]
    assert found == []


def test_the_gate_does_make_them() -> None:
    gate = next(file for file in source_files("app") if file.name == "app/gate/gate.py")
    assert any(ast.unparse(call.func).endswith("Decision") for call in gate.calls())
