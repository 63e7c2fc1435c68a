"""Play by email: moves bundles and plain words between a mailbox and records.

What belongs here: reading, writing, fetching and sending mail. What it must not know: rules.

The way of a mail to a host: `mailboxes` gives it out, `mime` reads it, `block` finds the bundles in
its text. `office` deals with the mails of all games, `host` with those of one. Their answers have
the words of `replies`, and are bytes by `outgoing`. `outbox` remembers them until `senders` have
handed them on.

At a player, `play_sync` fetches and sends; `player` writes the mails to the host; `pasted` reads
what a person hands over. `logins` knows servers and passwords for all.
"""
