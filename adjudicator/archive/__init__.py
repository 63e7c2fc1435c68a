"""What many records are together: each verified, by several processes, and a club's table."""
