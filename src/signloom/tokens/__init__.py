"""Text to tokens: alphabets, cleaning, spelling, ids. Standard library only."""
