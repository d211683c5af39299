"""Code that a model wrote, run in a lasting process of its own, shut off from the machine."""
