"""Play by git: a transport that moves a record's files, and checks of what a repository holds.

The branch `main` of a repository is the record. Players push slips to `players/NAME`; the entry
that uses them merges them. Only signed files are believed, never the commits that bring them.
Nothing here knows the rules of any game.
"""
