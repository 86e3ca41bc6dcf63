"""Readers of captioned pictures, one a corpus."""
