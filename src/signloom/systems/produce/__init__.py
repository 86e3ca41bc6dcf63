"""Text to sign poses: the PSAT-RS system (pyramid semi-autoregressive transformer)."""
