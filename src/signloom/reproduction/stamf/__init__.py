"""STAMF: what its paper leaves open, by small models on data that fits a desk."""
