"""Games that are hosted by mail: one mailbox, and nobody at it.

The way of a mail: `office` deals with what comes in for all games, `game` with what is for one of
them; `answers` with what nobody signed, by one table of `words`. Their mails have the words of
`replies`; `outbox` remembers them until they have left. `copies` sees to it that of two machines at
one mailbox only one has signed. `more_time` moves deadlines of players whom no mail reached;
`overview` tells the host what needs a hand, `mine` a reader all their games.

A `referee` lets games begin by mail, by the rules of its `house`: acts on what is `served`, with a
`register` of its own beside it; `seats` and who takes them, `watchers`, `organisers` who rule by
mail, and what is `published`.
"""
