"""Tests of the code environment."""
