"""The durable record of a run: one SQLite file."""
