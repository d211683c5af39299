"""The start window: the runs that were saved, and how each of them stands."""
