"""Poses: what a signer's joints do over time, and how that is read, written and drawn."""
