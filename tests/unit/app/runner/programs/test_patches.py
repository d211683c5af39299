"""Patches: what is asked, what is really done, what is on the wire."""

from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionEnded, ActionStarted, AskRaised
from app.core.evidence import PatchFacts
from app.core.own_tools_plan import PatchesPlan
from app.core.patching import digest
from app.runner.session_ports import Environment
from drivers.files.folder import Folder
from tests.unit.app.runner.harness import Run
from tests.unit.app.runner.programs.own_runs import BOTH, POEM, run_with
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    Item,
    message,
    outputs,
    program,
    raw,
)


def patch(kind: str, path: str, diff: str | None = None, call_id: str = "a1", **more: Any) -> Item:
    operation = {"type": kind, "path": path} | ({"diff": diff} if diff is not None else {})
    return raw(
        type="apply_patch_call", id=f"i_{call_id}", call_id=call_id, status="completed", operation=operation, **more
    )


def patched(folder: Path, *items: Item, **more: Any) -> Run:
    def files(environment: Environment) -> None:
        environment.files = Folder(folder)

    plan = {"patches": PatchesPlan(folder=str(folder), allowed_callers=more.pop("callers", None))}
    return run_with(plan, [list(items), [message()]], folder, opened=files, **more)


@pytest.mark.parametrize("stream", [False, True])
def test_a_patch_is_asked_with_what_it_really_changes_and_done(folder: Path, stream: bool) -> None:
    diff = "@@ roses\n-violets\n+lilies\n"
    run = patched(folder, patch("update_file", "poem.txt", diff), stream=stream)
    assert run.ended.status == "finished"
    assert (folder / "poem.txt").read_text() == "roses\nlilies\n"
    (ask,) = (event.ask for event in run.of(AskRaised))
    assert (ask.kind, ask.member) == ("patch", "apply_patch")
    assert ask.arguments == {"type": "update_file", "path": "poem.txt", "diff": diff}
    assert ask.evidence.patch == PatchFacts(
        folder=str(folder),
        path="poem.txt",
        before=digest(POEM.encode()),
        after=digest(b"roses\nlilies\n"),
        change="--- before poem.txt\n+++ after poem.txt\n@@ -1,2 +1,2 @@\n roses\n-violets\n+lilies",
    )
    assert outputs(run) == [
        {"type": "apply_patch_call_output", "call_id": "a1", "status": "completed", "output": "Updated poem.txt."}
    ]
    assert [event.outcome for event in run.of(ActionEnded)] == ["done"]
    declared = run.model.requests[0].body["tools"]
    assert {"type": "apply_patch", "allowed_callers": ["direct"]} in declared


def test_files_are_created_and_deleted_by_a_program_and_its_caller_goes_back(folder: Path) -> None:
    run = patched(
        folder,
        program(),
        patch("create_file", "new/ode.txt", "+to joy\n", "a1", caller=CALLER),
        patch("delete_file", "poem.txt", None, "a2", caller=CALLER),
        callers=BOTH,
    )
    assert (folder / "new/ode.txt").read_text() == "to joy\n"
    assert not (folder / "poem.txt").exists()
    assert [(item["status"], item["caller"]) for item in outputs(run)] == [("completed", CALLER)] * 2
    asks = [event.ask for event in run.of(AskRaised)]
    assert [ask.program for ask in asks] == [CALLER["caller_id"]] * 2
    facts = [ask.evidence.patch for ask in asks if ask.evidence.patch is not None]
    assert [(bool(one.before), bool(one.after)) for one in facts] == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (patch("update_file", "../secret.txt", "-a\n+b"), "leads out of the folder"),
        (patch("create_file", "/tmp/x", "+b"), "must be relative"),
        (patch("update_file", "none.txt", "-a\n+b"), "no file none.txt"),
        (patch("create_file", "poem.txt", "+b"), "is there already"),
        (patch("update_file", "poem.txt", "-tulips\n+b"), "does not stand in the file"),
        (patch("create_file", "ode", "+joy\0\n"), "nobody could read what changes"),
        (patch("update_file", "poem.txt", "@@\n+joy\0\n"), "nobody could read what changes"),
        (patch("update_file", "poem.txt", "+" + "x" * 1_000_000), "too long"),
        (patch("move_file", "poem.txt", ""), "none that is known"),
        (patch("delete_file", "poem.txt", caller=CALLER), "may not be called by a program"),
    ],
)
def test_a_patch_that_may_not_be_is_told_and_asks_nobody(folder: Path, item: Item, why: str) -> None:
    run = patched(folder, program(), item)
    (output,) = outputs(run)
    assert output["status"] == "failed"
    assert why in output["output"]
    assert run.of(AskRaised) == []
    assert [path.name for path in folder.rglob("*")] == ["poem.txt"]
    assert run.ended.status == "finished"


def test_a_denied_patch_changes_nothing_and_the_note_is_told(folder: Path) -> None:
    operator = {"default": "deny", "answers": [{"kind": "patch", "answer": "deny", "note": "Leave it."}]}
    run = patched(folder, patch("delete_file", "poem.txt"), keys={"operator": operator})
    (output,) = outputs(run)
    assert output["status"] == "failed"
    assert output["output"].endswith("The operator's note: Leave it.")
    assert (folder / "poem.txt").read_text() == POEM
    assert run.of(ActionStarted) == []


def test_a_file_that_changed_while_it_was_asked_is_left_alone(folder: Path) -> None:
    def meddle(session: Any) -> None:
        def listen(recorded: Any) -> None:
            if recorded.event.type == "ask_raised":
                (folder / "poem.txt").write_text("theirs")

        session.subscribe(listen)

    run = patched(folder, patch("delete_file", "poem.txt"), before=meddle)
    (output,) = outputs(run)
    assert "changed by something else since it was shown" in output["output"]
    assert (folder / "poem.txt").read_text() == "theirs"
    assert [event.outcome for event in run.of(ActionEnded)] == ["not_done"]
    assert run.ended.status == "finished"
