"""The papers' tables and figures, row by row, with columns of our own beside the published ones."""
