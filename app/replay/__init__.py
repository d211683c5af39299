"""Reading a saved run: where it comes from, and where on it you stand."""
