"""Handing a saved run on: what in which form, what is left out, how far it is."""
