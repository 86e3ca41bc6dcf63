"""The five systems: each assembles its model from core and decoders and says how it is trained."""
