"""Browsers and desktops that run elsewhere and belong to somebody else: how they are reached, and how they are left."""
