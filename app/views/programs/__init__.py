"""Programs and background jobs of a run, as a panel."""
