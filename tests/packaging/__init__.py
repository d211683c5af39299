"""Tests of what is built from the project: the wheel."""
