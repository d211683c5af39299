"""From an ask to a decision; fails closed."""
