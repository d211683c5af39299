"""Tests of what watches every other test."""
