"""Marks and notes that a reviewer sets on a saved run."""
