"""What is not asked is said before a run starts, each way round the question with its name."""

from app.cli.unasked import unasked_words
from app.core.plan import RunPlan

PLAN = {
    "task": "Look up a table",
    "browser": {"members": ["read_page", "click", "run_script"]},
    "mcp": [{"server_label": "tracker\u202e", "server_url": "https://mcp.example/", "require_approval": "never"}],
    "server_tools": [{"type": "web_search"}],
    "functions": [{"import": "tables:lookup", "name": "lookup"}],
    "rules": [{"verdict": "allow", "members": ["click"], "text": "I trust it"}],
}


def test_each_way_round_the_question_is_named() -> None:
    said = "\n".join(unasked_words(RunPlan.model_validate(PLAN)))
    assert "not asked: Read the page" in said
    assert "not asked: Click on a page element" in said
    assert "I trust it" in said
    assert "not asked: Every tool of the server “tracker⟦U+202E" in said
    assert "not asked: The service's own tools “web_search”" in said
    assert "lookup" not in said, "every function is asked"
    assert "Run a script" not in said
