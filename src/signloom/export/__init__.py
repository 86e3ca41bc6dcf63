"""From a trained checkpoint to a model package, with a parity check."""
