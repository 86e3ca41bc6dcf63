"""Metrics: pure numpy functions from results and references to numbers."""
