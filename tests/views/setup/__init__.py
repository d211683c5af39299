"""Tests of the form in which a run is set up."""
