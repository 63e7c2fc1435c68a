"""What a player does: join, take in what the host sends, look, order, write letters."""
