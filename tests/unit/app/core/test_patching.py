"""A patch changes exactly the lines that it names, or says why it does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.patching import NO_END, PatchProblem, counts, created, shown_change, updated

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


@pytest.mark.parametrize(
    ("text", "diff", "now"),
    [
        ("a\r\nb\nc\n", "-a\n+A\n", "A\r\nb\nc\n"),
        ("a\nb\r\n", "-a\n+A\n", "A\nb\r\n"),
        ("a\r\nlast", "@@\n+end", "a\r\nlast\r\nend"),
        ("a\r\nlast", "-a\n-last\n+z", "z"),
        ("a\r\n", "@@\n+b\n", "a\r\nb\r\n"),
    ],
)
def test_each_line_that_stays_keeps_its_own_end(text: str, diff: str, now: str) -> None:
    assert updated(text, diff) == now


@pytest.mark.parametrize(
    ("text", "diff", "shown"),
    [
        ("last", " last\n+", ["-last", NO_END, "+last"]),
        ("last\n", "-\n", ["-last", "+last", NO_END]),
        ("# a\x0cgo()\n", "-# a\x0cgo()\n+# a\n+go()", ["-# a\x0cgo()", "+# a", "+go()"]),
        ("# a\u2028go()\n", "-# a\u2028go()\n+# a\n+go()", ["-# a\u2028go()", "+# a", "+go()"]),
        ("a\n", "-a\n+a\r\r\n", ["-a", "+a\r"]),
        ("a\r\nb\n", "-b\n+c\n", [" a\r", "-b", "+c\r"]),
        ("a\r\nb\r\n", "-b\n+c\n", [" a", "-b", "+c"]),
    ],
)
def test_no_change_of_a_line_s_end_is_hidden(text: str, diff: str, shown: list[str]) -> None:
    assert shown_change(text, updated(text, diff), "x").split("\n")[3:] == shown


@given(st.text("ab\r\n\x0c", max_size=30), st.text("ab\r\n\x0c", max_size=30))
def test_what_is_shown_is_nothing_only_where_nothing_changes(old: str, new: str) -> None:
    assert (shown_change(old, new, "x") == "") == (old == new)


def test_lines_that_are_many_and_alike_are_shown_as_going_and_coming() -> None:
    old, new = [f"old {at % 7}" for at in range(1500)], [f"new {at % 5}" for at in range(1500)]
    rows = shown_change("\n".join(["top", *old, "end\n"]), "\n".join(["top", *new, "end\n"]), "x").split("\n")
    assert rows[2] == "@@ -1,1502 +1,1502 @@"
    gone = [row[1:] for row in rows[3:] if row[0] in " -"]
    come = [row[1:] for row in rows[3:] if row[0] in " +"]
    assert gone == ["top", *old, "end"]
    assert come == ["top", *new, "end"]


def test_a_patch_of_very_many_like_lines_is_looked_for_once() -> None:
    with pytest.raises(PatchProblem, match="does not stand"):
        updated("a\n" * 400_000, " a\n" * 200_000 + "-b\n")
    with pytest.raises(PatchProblem, match="more than 500 parts"):
        updated("a\n" * 600, "@@\n-a\n+b\n" * 501)


LINES = st.lists(st.text(alphabet="ab +-@", max_size=3), max_size=8)


@given(LINES, LINES)
def test_any_change_written_as_a_patch_gives_that_change(before: list[str], after: list[str]) -> None:
    old, new = "\n".join([*before, ""]), "\n".join([*after, ""])
    if old == new:
        return
    diff = "\n".join([*(f"-{line}" for line in before), *(f"+{line}" for line in after)])
    assert updated(old, diff) == new
