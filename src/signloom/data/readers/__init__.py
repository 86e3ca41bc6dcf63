"""Readers of the field's corpora and of a person's own data: one module a corpus.

A reader lists the utterances of a corpus without reading their poses, and names what is wrong with
its tables. It has `ABOUT`, `Options` and `read(folder, options)`; `registry` knows them by name.
"""
