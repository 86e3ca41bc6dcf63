"""The command line: one file a verb. Results to stdout, notes to stderr.

A verb's module has `add_to`, which adds its parser, and a function that runs it and returns the
exit code. At its top it imports next to nothing, so that `--help` is quick.
"""
