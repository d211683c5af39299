"""What may be looked at only is neither resumed nor forked, by any way in; the words say why, and no byte changes."""

import hashlib
import shutil
from pathlib import Path

from tests.end2end.program import signalbox


def test_a_finished_run_and_a_copy_are_only_looked_at(tmp_path: Path) -> None:
    ran = signalbox("demo", "two-calls", "--unattended", home=tmp_path)
    ledger = ran.ledger
    before = hashlib.sha256(ledger.read_bytes()).hexdigest()
    over = signalbox("resume", str(ledger), home=tmp_path, OPENAI_API_KEY="k")
    assert over.code == 1
    assert "the model has given its final message" in over.err
    copy = Path(shutil.copy(ledger, ledger.with_name("copy.signalbox")))
    for command in ("resume", "fork"):
        refused = signalbox(command, str(copy), home=tmp_path, OPENAI_API_KEY="k")
        assert refused.code == 1
        assert "not made here under this name" in refused.err
    run_file = tmp_path / "run.toml"
    run_file.write_text('task = "x"\nmodel = "m"\n')
    refused = signalbox("run", str(run_file), "--resume", str(copy), home=tmp_path, OPENAI_API_KEY="k")
    assert refused.code == 1
    assert "not made here under this name" in refused.err
    listed = signalbox("fork", str(ledger), "--list", home=tmp_path)
    assert listed.code == 0
    assert listed.out.splitlines()[0].split() == ["1", "from", "the", "task", "alone"]
    assert hashlib.sha256(ledger.read_bytes()).hexdigest() == before
    assert hashlib.sha256(copy.read_bytes()).hexdigest() == before
