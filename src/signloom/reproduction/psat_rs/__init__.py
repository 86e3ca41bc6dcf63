"""PSAT-RS: latency by levels and by length, and contact sheets beside the published figures."""
