"""Stories of games as texts, played over files, mail and git alike: see `play.py`."""
