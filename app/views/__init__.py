"""What is on the screen. Qt lives here only."""
