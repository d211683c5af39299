"""The form in which a run is set up: every key of a run file, checked as it is written."""
