"""Two pictures against each other, and two runs."""
