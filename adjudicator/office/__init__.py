"""Games that are hosted by mail: one mailbox, and nobody at it.

The way of a mail: `office` deals with what comes in for all games, `game` with what is for one of
them. Their answers have the words of `replies`; `outbox` remembers them until they have left.
`copies` sees to it that of two machines at one mailbox only one has signed. `referee` lets games
begin by the words of mails, by the rules of its `house`; `more_time` moves deadlines of players
whom no mail reached; `overview` tells the host what needs a hand.
"""
