"""The rules of a run."""
