"""Code that the model writes, as a panel."""
