"""Speech to learn from: utterances, corpora, the readers of manifests, variation."""
