"""Search: numpy loops over a small step protocol; no parameters."""
