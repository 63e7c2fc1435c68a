"""Mail as such: moves bundles and plain words between a mailbox and whoever reads it.

What belongs here: reading, writing, fetching and sending mail. What it must not know: rules, and
games that are hosted by mail (`office`).

`mailboxes` gives a mail out, `mime` reads it, `block` finds the bundles in its text; `outgoing`
makes the bytes of one that leaves, which `senders` hand on. `logins` knows servers and passwords.

At a player, `play_sync` fetches and sends; `player` writes the mails to the host; `pasted` reads
what a person hands over.
"""
