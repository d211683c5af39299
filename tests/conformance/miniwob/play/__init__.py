"""How each family of tasks is played: through members of the toolset alone."""
