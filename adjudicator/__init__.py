"""The host, the player and the verifier."""

__version__ = "0.1.0"
