"""Small pieces that several panels share."""
