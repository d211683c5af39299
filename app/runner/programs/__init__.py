"""The console's own loop, for what the SDK's runner refuses: programs, background jobs, custom tools."""
