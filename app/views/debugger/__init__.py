"""Pausing, stepping and breakpoints on the screen."""
