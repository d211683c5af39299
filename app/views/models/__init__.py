"""What the panels read: the timeline and the place on it, as Qt objects."""
