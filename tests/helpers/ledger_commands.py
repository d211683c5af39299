"""The commands that are given a saved run."""

LEDGER_COMMANDS: dict[str, tuple[str, ...]] = {
    "replay": (),
    "rehearse": (),
    "resume": (),
    "fork": (),
    "verify": (),
    "seal": (),
    "compare": (),
    "export": ("--to", "json"),
}
"""Each with what it must be told beside the run."""
