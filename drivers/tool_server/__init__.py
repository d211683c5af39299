"""Tools of a server that runs on this machine, spoken to over its standard input and output (MCP, stdio)."""
