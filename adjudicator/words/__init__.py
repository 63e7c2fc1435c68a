"""Entries, outcomes, news and order forms in words, for terminals, mails and commits."""
