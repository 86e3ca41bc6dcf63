"""Training losses over padded batches."""
