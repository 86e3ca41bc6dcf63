"""Decoders: parameters and one explicit-state step each; the loops live in signloom.search."""
