"""Image to text: SATIC."""
