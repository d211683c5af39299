"""A web server for tests: pages given inline, requests recorded."""
