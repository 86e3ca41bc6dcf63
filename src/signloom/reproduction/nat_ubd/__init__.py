"""NAT-UBD: what its tables ask, on digit strings and other speech at hand."""
