"""Run files: read strictly, and every complaint names the file, the line and the key."""

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.runfile import MOST_BYTES, load_run_file, parse_run_file
from app.core.errors import UsageProblem
from app.gate.url_policy import origin_of

WHOLE = """task = "Book a table."
model = "m"
max_steps = 7
store = true

[browser]
start_url = "https://a.test/"
confirm_reads = ["get_page_text"]
viewport = [800, 600]
device_scale = 2

[computer]
ask_screenshots = true

[[functions]]
name = "f"
import = "my.tools:f"

[[mcp]]
server_label = "a"
server_url = "https://mcp.test/"

[[rules]]
verdict = "allow"
text = "the shop"
kinds = ["navigation"]
origins = ["https://a.test"]
[[rules]]
verdict = "deny"
arguments = { target = "e1", count = 2 }

[limits]
drain_secs = 3
"""


def test_a_mark_at_the_beginning_is_none_of_its_letters_and_lines_are_counted_alike(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert load_run_file(file) == parse_run_file(WHOLE, source="run.toml")
    file.write_bytes(file.read_bytes().replace(b"store", b"stor"))
    with pytest.raises(UsageProblem, match=r"run\.toml:4: stor: there is no such key"):
        load_run_file(file)


def test_no_more_is_read_than_a_run_file_can_hold(tmp_path: Path) -> None:
    """A device gives as much as one reads of it."""
    file = tmp_path / "run.toml"
    with file.open("wb") as written:
        written.truncate(MOST_BYTES + 1)
    with pytest.raises(UsageProblem, match=r"larger than 16 MB"):
        load_run_file(file)


def test_a_whole_run_file() -> None:
    plan = parse_run_file(WHOLE, source="run.toml")
    assert (plan.task, plan.model, plan.max_steps, plan.store) == ("Book a table.", "m", 7, True)
    assert plan.browser is not None
    assert (plan.browser.viewport, plan.browser.device_scale) == ((800, 600), 2.0)
    assert plan.computer is not None
    assert plan.computer.ask_screenshots
    assert plan.functions[0].import_path == "my.tools:f"
    assert [rule.verdict for rule in plan.rules] == ["allow", "deny"]
    assert plan.rules[1].arguments == {"target": "e1", "count": 2}
    assert plan.limits.drain_secs == 3


def test_the_run_file_of_the_guide_is_one() -> None:
    guide = (Path(__file__).parents[4] / "docs/run-files.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert parse_run_file(example, source="the guide").rules[0].text == "pages of the railway may be opened"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "run.toml: task: Field required"),
        ('task = "t"\nmax_stesp = 3\n', "run.toml:2: max_stesp: there is no such key"),
        ('task = "t"\nmax_steps = "3"\n', "run.toml:2: max_steps: "),
        ('task = "t"\nmax_steps = true\n', "run.toml:2: max_steps: "),
        ('task = "t"\nmax_steps = 3.0\n', "run.toml:2: max_steps: "),
        ('task = "t"\nstore = 1\n', "run.toml:2: store: "),
        ('task = 3\n', "run.toml:1: task: must be text"),
        ('task = "t"\nstreaming = true\n', "run.toml:2: streaming: must be a table"),
        ('task = "t"\n[decisions]\nverify = "page"\n', "run.toml:3: decisions.verify: must be a table"),
        ('task = "t"\n\n[browser]\nheadles = true\n', "run.toml:4: browser.headles: there is no such key"),
        ('task = "t"\n[browser]\nmembers = ["clik"]\n', "run.toml:3: browser.members: there is no browser member"),
        ('task = "t"\n[[rules]]\nverdict = "allow"\n[[rules]]\nverdict = "no"\n', "run.toml:5: rules[1].verdict: "),
        ('task = "t"\n[[functions]]\nimport = "a:b"\nimport_path = ""\n', "run.toml:2: functions[0].name: Field"),
        ('task = "t"\n[[mcp]]\nserver_label = "a"\n', "run.toml:2: mcp[0]: give server_url or connector_id"),
        ('task = "t"\n[[mcp]]\nserver_label = "a"\nconnector_id = "c"\nallowed_tools = 1\n', "run.toml:5: mcp[0].all"),
        ('task = "t"\n[request]\nuser = "u"\ntool_choice = "required"\n', "run.toml:4: request.tool_choice: "),
        ('task = "t"\n[limits]\ndrain_secs = inf\n', "run.toml holds a value that no key takes"),
        ('task = "t"\n[[rules]]\nverdict = "deny"\narguments.on = 2027-05-03\n', "run.toml holds a value that no"),
        ('task = "t"\ntask = "u"\n', "run.toml is not TOML"),
        ("task = \n", "run.toml is not TOML"),
    ],
)  # fmt: skip
def test_a_complaint_names_the_place(text: str, complaint: str) -> None:
    with pytest.raises(UsageProblem) as wrong:
        parse_run_file(text, source="run.toml")
    assert str(wrong.value).startswith(complaint), str(wrong.value)
    assert wrong.value.exit_code == 2


def test_every_fault_of_a_file_is_named_at_once() -> None:
    with pytest.raises(UsageProblem) as wrong:
        parse_run_file('task = "t"\nmodle = "m"\nmax_steps = 0\n', source="run.toml")
    assert str(wrong.value).splitlines() == [
        "run.toml:3: max_steps: Input should be greater than or equal to 1",
        "run.toml:2: modle: there is no such key",
    ]


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    missing, binary = tmp_path / "none.toml", tmp_path / "binary.toml"
    binary.write_bytes(b'task = "\xff"\n')
    for path, words in ((missing, "No such file"), (binary, "not UTF-8"), (tmp_path, "directory")):
        with pytest.raises(UsageProblem, match=words) as wrong:
            load_run_file(path)
        assert str(path) in str(wrong.value)


@given(st.text(max_size=60) | st.text('=[]{}"ab.\n 1', max_size=40).map('task = "t"\n'.__add__))
def test_no_text_at_all_is_anything_but_a_plan_or_a_complaint(text: str) -> None:
    with contextlib.suppress(UsageProblem):
        assert parse_run_file(text, source="run.toml").task.strip()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('[browser]\nstart_url = "www.a.test"', "4: browser.start_url: must be a whole address"),
        ('[browser]\nstart_url = "file:///etc/hostname"', "4: browser.start_url: must be a whole address"),
        ('[browser]\nallow_origins = ["https://a.test/"]', "4: browser.allow_origins[0]: an origin is https://host"),
        ('[browser]\nallow_origins = ["https://a.test:443"]', "4: browser.allow_origins[0]: an origin is https://host"),
        ('[[rules]]\nverdict = "deny"\norigins = ["https://A.test"]', "5: rules[0].origins[0]: an origin is https://"),
        ('[[breakpoints]]\norigins = ["a.test"]', "4: breakpoints[0].origins[0]: an origin is https://host"),
        (
            '[browser]\nadditional_members = ["download_file"]\n[[grants]]\nid = "a"\ndownload = "menu.pdf"',
            "7: grants[0].download: must be a whole address",
        ),
    ],
)
def test_an_address_that_could_never_be_meant_is_refused_at_its_line(line: str, complaint: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        parse_run_file(f'task = "x"\nmodel = "m"\n{line}\n', source="f")
    assert f"f:{complaint}" in str(refused.value)


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8080", "https://xn--mnchen-3ya.de", "http://[::1]:81", "https://my_host.test"]
)
def test_an_origin_as_a_browser_writes_it_is_one(origin: str) -> None:
    plan = parse_run_file(f'task = "x"\n[[rules]]\nverdict = "deny"\norigins = ["{origin}"]\n', source="f")
    assert plan.rules[0].origins == (origin,) == (origin_of(f"{origin}/x"),)
