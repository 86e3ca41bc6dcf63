"""Corpora, one reader each."""
