"""Readers of speech corpora and of manifests that list recordings and what is said in them."""
