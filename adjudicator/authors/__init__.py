"""For authors of games and bots: what a game promises, tried, and many games between bots."""
