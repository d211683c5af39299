"""What the console costs, each time as a ratio to a floor measured in the same run: ``python -m tests.benchmarks``."""
