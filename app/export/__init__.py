"""A saved run handed on: as a page, as data, as a table, as an animation, or all of it in one archive."""
