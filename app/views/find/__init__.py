"""Searching a run."""
