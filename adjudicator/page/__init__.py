"""The page: one HTML file that plays, watches and verifies in any browser, built from this code.

What belongs here: building that file, and what runs inside it beside the packages themselves.
"""
