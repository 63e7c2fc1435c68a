"""Play by git: a transport that moves a record's files, and checks of what a repository holds.

The branch `main` of a repository is the record. Players push slips to `players/NAME`; the entry
that uses them merges them. Neither what a player pushes nor what a commit says is believed: only
the signed files in it are. Nothing here knows the rules of any game.
"""
