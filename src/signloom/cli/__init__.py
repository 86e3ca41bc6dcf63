"""The command line: one file a verb. Results to stdout, notes to stderr.

A verb's module imports nothing but typer at its top, so that `--help` is quick.
"""
