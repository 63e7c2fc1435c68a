"""The commands that mails and messages tell people to type, each in one place."""

JOIN = "adjudicator join {invite}"
RULES = "adjudicator rules {game.id}"

TAKE = "adjudicator take"
PLAY = "adjudicator play"
ORDER = "adjudicator play --file {orders}"
MESSAGE = "adjudicator say --to bob TEXT"
ABSENCE = "adjudicator away FROM UNTIL"
VERIFY = "adjudicator verify {record}"

# The host's.
MOVED = "adjudicator config address ADDRESS"
RULE = "adjudicator rule -g {record}"
LATE = "adjudicator sync --late -g {record}"
RESTORE = "adjudicator restore FROM... -g {record}"
