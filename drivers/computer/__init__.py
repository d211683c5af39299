"""The computer tool on a browser page."""
