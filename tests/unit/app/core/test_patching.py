"""A patch changes exactly the lines that it names, or says why it does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.patching import PatchProblem, counts, created, shown_change, updated

TEXT = "def a():\n    return 1\n\n\ndef b():\n    return 1\n"


def test_a_part_stands_below_the_line_that_it_names() -> None:
    diff = "@@ def b():\n-    return 1\n+    return 2\n"
    assert updated(TEXT, diff) == "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
    assert counts(shown_change(TEXT, updated(TEXT, diff), "x.py")) == (1, 1)


def test_parts_follow_one_another_and_may_only_add() -> None:
    diff = "@@\n def a():\n+    print()\n     return 1\n@@\n+# the end\n"
    assert updated(TEXT, diff) == ("def a():\n    print()\n    return 1\n\n\ndef b():\n    return 1\n# the end\n")


def test_line_numbers_of_a_unified_diff_are_no_words_to_look_for() -> None:
    diff = "@@ -1,2 +1,2 @@\n def a():\n-    return 1\n+    return 3\n"
    assert updated(TEXT, diff).startswith("def a():\n    return 3\n")


def test_what_stays_is_as_the_file_has_it() -> None:
    assert updated("keep  \r\nold\r\n", " keep\n-old\n+new\n") == "keep  \r\nnew\r\n"
    assert updated("last", "-last\n+end") == "end"
    assert updated("a\nb\na\n", "@@\n-a\n+c\n*** End of File\n") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("diff", "why"),
    [
        ("-not there\n+x", "part 1 of the patch does not stand in the file"),
        ("@@ def c():\n-    return 1\n+x", "names a line that is not in the file"),
        ("*** Begin Patch", "line 1 of the patch begins with none of"),
        (" def a():", "changes nothing"),
        ("", "changes nothing"),
        ("-    return 1\n+x\n@@ def a():\n-def a():\n+y", "part 2"),
    ],
)
def test_what_does_not_fit_is_said(diff: str, why: str) -> None:
    with pytest.raises(PatchProblem, match=why):
        updated(TEXT, diff)


def test_a_new_file_is_what_its_lines_say() -> None:
    assert created("+one\n+\n+two\n") == "one\n\ntwo\n"
    with pytest.raises(PatchProblem, match="line 2"):
        created("+one\ntwo")


LINES = st.lists(st.text(alphabet="ab +-@", max_size=3), max_size=8)


@given(LINES, LINES)
def test_any_change_written_as_a_patch_gives_that_change(before: list[str], after: list[str]) -> None:
    old, new = "\n".join([*before, ""]), "\n".join([*after, ""])
    if old == new:
        return
    diff = "\n".join([*(f"-{line}" for line in before), *(f"+{line}" for line in after)])
    assert updated(old, diff) == new
