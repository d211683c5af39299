"""What is said before a run about what will be asked is what the rules then do; and the SDK's lists are the SDK's."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from openai.lib.browser import BROWSER_MEMBERS, DEFAULT_BROWSER_MEMBERS

from app.core.ask import Ask
from app.core.asked_ahead import OPT_IN, UNASKED_READS, Foretold, foretell
from app.core.describe import BROWSER_MEMBERS as WORDS
from app.core.evidence import Evidence, Page
from app.core.plan import RunPlan
from app.core.value import call_digest
from app.gate.rules import RuleBook
from app.runner.browser import READ_ONLY

MEMBERS = ("click", "type", "read_page")
ORIGINS = ("https://a.test", "https://b.test")


def plan_of(**tables: Any) -> RunPlan:
    return RunPlan.model_validate({"task": "t", **tables})


def words_for(plan: RunPlan, what: str, name: str = "") -> list[str]:
    lines = [line for line in foretell(plan) if what in line.what and (not name or name in line.names)]
    return [line.word for line in lines]


def test_the_members_are_the_sdk_s() -> None:
    assert set(OPT_IN) == set(BROWSER_MEMBERS) - set(DEFAULT_BROWSER_MEMBERS)
    assert UNASKED_READS == READ_ONLY


RULES = st.lists(
    st.fixed_dictionaries(
        {"verdict": st.sampled_from(["allow", "hold", "deny"])},
        optional={
            "kinds": st.lists(st.sampled_from(["browser_action", "navigation", "function_call"]), max_size=2),
            "sources": st.lists(st.sampled_from(["browser", "functions"]), max_size=1),
            "members": st.lists(st.sampled_from([*MEMBERS, "lookup"]), max_size=2),
            "origins": st.lists(st.sampled_from(ORIGINS), max_size=1),
            "arguments": st.sampled_from([{}, {"text": "x"}]),
        },
    ),
    max_size=5,
)
SAYS = {"allow": "not asked", "hold": "asked", "deny": "denied"}


@given(
    rules=RULES,
    member=st.sampled_from(["click", "type", "lookup"]),
    origin=st.sampled_from(ORIGINS),
    text=st.booleans(),
)
def test_no_rule_does_what_was_not_foretold(rules: Any, member: str, origin: str, text: bool) -> None:
    plan = plan_of(browser={"members": list(MEMBERS)}, functions=[{"name": "lookup", "import": "a:b"}], rules=rules)
    local = member == "lookup"
    arguments = {"text": "x"} if text else {}
    page = Page(tab_id="one", url=f"{origin}/x", origin=origin, title="")
    ask = Ask(
        ask_id="a1",
        kind="function_call" if local else "browser_action",
        source="functions" if local else "browser",
        call_id="c",
        turn=1,
        member=member,
        arguments=arguments,
        digest=call_digest(member, arguments),
        evidence=Evidence(page=page),
    )
    happens = SAYS[RuleBook.of_plan(plan.rules).answer(ask).verdict]
    said = words_for(plan, "The function", "lookup") if local else words_for(plan, WORDS[member])
    assert happens in said
    if all(not rule.origins and not rule.arguments for rule in plan.rules):
        assert said == [happens]


def test_a_run_says_what_it_will_and_will_not_ask() -> None:
    plan = plan_of(
        store=True,
        browser={"members": ["navigate", "click", "read_page", "screenshot"], "confirm_reads": ["screenshot"]},
        computer={},
        functions=[{"name": "lookup", "import": "a:b"}],
        mcp=[
            {"server_label": "open", "server_url": "https://a.test/", "require_approval": "never"},
            {
                "server_label": "mixed",
                "server_url": "https://b.test/",
                "require_approval": {"never": {"read_only": True}},
            },
            {"server_label": "free", "server_url": "https://d.test/", "require_approval": {"never": {}}},
            {"server_label": "shut", "server_url": "https://c.test/"},
        ],
        server_tools=[{"type": "web_search"}],
        code={},
        function_servers=[{"name": "files", "command": ["x"]}],
        rules=[{"verdict": "allow", "text": "the shop", "kinds": ["navigation"], "origins": ["https://shop.test"]}],
    )
    lines = foretell(plan)
    assert words_for(plan, "Open an address: which one") == ["asked", "not asked"]
    assert [line.quoted for line in lines if line.why.startswith("rule 1")] == [("https://shop.test",)]
    assert words_for(plan, "Click on a page element") == ["asked"]
    assert words_for(plan, "Take a screenshot") == ["asked"]
    assert words_for(plan, "Read the page") == ["not asked"]
    assert words_for(plan, "Take a picture of the screen") == ["not asked"]
    assert words_for(plan, "The function", "lookup") == ["asked"]
    assert words_for(plan, "Every tool of the server", "open") == ["not asked"]
    assert words_for(plan, "Every tool of the server", "shut") == ["asked"]
    assert words_for(plan, "Every tool of the server", "free") == ["not asked"]
    assert words_for(plan, "Each piece of code that the model writes") == ["asked"]
    assert words_for(plan, "Every function of the server started here", "files") == ["asked"]
    assert words_for(plan, "Tools that need an approval, of the server", "mixed") == ["asked"]
    assert words_for(plan, "Tools that need no approval, of the server", "mixed") == ["not asked"]
    assert words_for(plan, "The service's own tools", "web_search") == ["not asked"]
    assert [line.word for line in lines] == sorted(
        [line.word for line in lines], key=["asked", "not asked", "denied"].index
    )


def test_a_decisions_run_asks_about_every_choice() -> None:
    lines = foretell(plan_of(engine="decisions", browser={}))
    assert Foretold("asked", ("Every candidate that the model chooses",)) in lines


def test_what_code_may_do_on_a_desktop_is_said() -> None:
    desktop = {"target": "virtual"}
    words = "What an allowed piece of code does on the desktop"
    assert words_for(plan_of(computer=desktop, code={}), words) == ["not asked"]
    assert words_for(plan_of(computer=desktop, code={"page": False}), words) == []
