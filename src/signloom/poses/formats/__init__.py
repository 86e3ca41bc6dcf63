"""File formats of poses, one module each."""
