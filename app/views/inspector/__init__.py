"""What stands beside the stage: pending calls, the page read, conversation, diagnostics, ledger."""
