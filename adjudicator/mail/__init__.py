"""Play by email: moves bundles and plain words between a mailbox and records.

What belongs here: reading, writing, fetching and sending mail. What it must not know: rules.
"""
