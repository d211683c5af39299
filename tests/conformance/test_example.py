"""The example in the guide runs as it is printed: by itself, with the SDK and the driver alone."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.conformance.test_runner import Model
from tests.helpers.site.server import Site

ROOT = Path(__file__).parents[2]
MODEL_ENVIRONMENT = {"OPENAI_API_KEY": "none", "OPENAI_MODEL": "m"}


@pytest.mark.asyncio
async def test_the_guides_example_runs(tmp_path: Path) -> None:
    guide = (ROOT / "docs/drivers.md").read_text(encoding="utf-8")
    found = re.search(
        r"^## The browser driver in twenty lines\n\n```python\n(.+?)^```", guide, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    code = found[1]
    assert len([line for line in code.splitlines() if line and not line.startswith(("import ", "from "))]) <= 20
    if os.geteuid() == 0:  # who has to say so
        code = code.replace("LaunchOptions()", "LaunchOptions(sandbox=False)")
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    site = Site()
    await site.start()
    await asyncio.to_thread(int)  # the loop's own thread exists before the child
    page = site.page("/", "<h1>Examples</h1><p>For documents.")
    model = Model([("navigate", {"url": page, "tab_id": None}), ("read_page", {"tab_id": None, "filter": "all"})])
    site.routes["/v1/responses"] = model
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    environment = {**kept, **MODEL_ENVIRONMENT, "OPENAI_BASE_URL": site.url("/v1"), "PYTHONPATH": str(ROOT)}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", "example.py", cwd=tmp_path, env=environment,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, wrong = await child.communicate(b"yes\n" * 10)
    await site.stop()
    assert (child.returncode, wrong.decode()) == (0, "")
    assert said.decode().rstrip().endswith("Done.")
    outputs = [item for item in model.sent[-1]["input"] if item.get("type") == "function_call_output"]
    assert [json.loads(output["output"][0]["text"])["ok"] for output in outputs] == [True, True]
    assert "For documents." in json.loads(outputs[-1]["output"][0]["text"])["result"]["text"]
