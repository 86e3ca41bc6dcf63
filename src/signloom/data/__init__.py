"""Training data as numpy arrays; only `collate` and `augment` import torch."""
