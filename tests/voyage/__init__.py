"""The voyage: real commands on simulated machines, with one seed for all that happens.

Every list of bad days ends where its author's ideas end. So here days are drawn. A *world* has
machines, each with a disk and a clock of its own; mail servers that lose, double, delay and
reorder; repositories that others push to; processes that end at any write; disks that are put back
to an earlier day; second machines; and people who sign what they like. Whatever happens, `promises`
must hold.

The product is real down to its commands. Only what surrounds it is made: the clock, the files' last
calls, sockets, fresh secrets. A world knows nothing of how the house inside is built.

    world.py      machines, disks, clocks, processes that end, two processes that overlap
    post.py       mail servers behind sockets, and the mailboxes of everybody
    promises.py   what must hold, asked of what left and of what lies on disks
    hosted.py duels.py git.py files.py   the ways to play, each with its events
    sail.py       a seed becomes events; a failure becomes the fewest events that bring it

`python -m tests.voyage --seconds N` sails as long as one likes.
"""
