"""Whole games on one machine: a host and its players in one process, or the two of a duel."""
