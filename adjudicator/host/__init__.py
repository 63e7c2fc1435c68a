"""What a host does: invite, seat players, take orders in, adjudicate, rule, pass letters on.

What belongs here: everything that needs the master or the host's private folder, for every
transport alike. What it must not know: how files travel, what is printed.
"""
