"""Tests of the `app` package, path for path."""
