"""Names and roles in reports against the browser's own accessibility tree."""
