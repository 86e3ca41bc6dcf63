"""Signing to text: the stochastic LWTA transformer."""
