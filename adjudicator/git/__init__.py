"""Play by git: a transport that moves a record's files, and checks of what a repository holds.

The branch `main` of a repository is the record, and the host's alone. A player hands in one block
on one branch; the host reads it, and nothing is ever merged. Only signed files are believed, never
the commits that bring them. Nothing here knows the rules of any game.

The room, each row standing on those above it:

    process                             git as a process with limits, and what it may be given
    objects                             its objects, read and made
    tree                                a record in a commit
    refs letterbox                      the host's branches; sealed receipts
    worktree                            clones: their folders, their configuration
    submission inbox                    what a player hands in, made and read
    publish                             the record as commits, their messages, and the page
    guard verifying                     before a push; a record in a repository
    host_sync play_sync                 one sync of a host, and of a player
    ci                                  a host without a machine
"""
