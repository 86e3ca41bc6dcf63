"""Bricks of sequence models; they know nothing of signing."""
