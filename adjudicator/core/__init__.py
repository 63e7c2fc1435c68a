"""The pure protocol: from files by name to verified values, and from orders to the next entry.

What belongs here: all that host, player and verifier share. What it must not know: folders,
sockets, processes, clocks. It imports `orders`, `games.game` and itself; a test follows every
import to its end.
"""
