"""The durable record of a run: one SQLite file, append-only and hash-chained. The only place that knows sqlite3."""
