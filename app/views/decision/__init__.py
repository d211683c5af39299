"""The card: one question, everything it is about, and the four answers."""
