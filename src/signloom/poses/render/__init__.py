"""Poses as pictures: a figure with readable hands, in videos, animations and contact sheets."""
