"""A text in, a result out: what the Python API, the command line and the server all call."""
