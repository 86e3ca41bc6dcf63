"""The stochastic LWTA transformer: its tables by small models that two cores can train."""
