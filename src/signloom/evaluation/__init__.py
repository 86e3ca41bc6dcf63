"""Evaluation of production: judges, control rows, figures with intervals, reports. No torch."""
