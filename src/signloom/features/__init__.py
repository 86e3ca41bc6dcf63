"""Sequences of features, one row a frame, and the files that hold them. No torch."""
