"""Play by git: a transport that moves a record's files, and checks of what a repository holds.

The branch `main` of a repository is the record. Players push slips to `players/NAME`; the entry
that uses them merges them. Only signed files are believed, never the commits that bring them.
Nothing here knows the rules of any game.

The room, each row standing on those above it:

    addresses process                   what git may be given, and git as a process with limits
    objects reading writing             its objects, read and made
    tree changes                        a record in a commit; what a commit changes
    letterbox refs strangers            sealed receipts; the branches; what anybody pushed
    worktree setup                      clones: their folders, their configuration
    messages page slips joins           words and page on main; what players push
    judgement                           which commits may stand: asked by the next row
    guard history verifying             before a push; when the host merges; for all of main
    host_sync play_sync                 one sync of a host, and of a player
    ci textconv                         a host without a machine; diffs in words
"""
