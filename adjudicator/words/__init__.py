"""Entries, outcomes, news and order forms in words, for whoever prints, mails or commits them."""
