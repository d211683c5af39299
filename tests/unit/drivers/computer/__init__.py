"""Tests of the drivers, on real Chromium."""
