"""Taking up a saved run: what is left of it, what has to be said, and the live page beside it."""
