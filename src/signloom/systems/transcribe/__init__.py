"""NAT-UBD: speech to text by CTC and a unified bidirectional decoder that refines it."""
