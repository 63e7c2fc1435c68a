"""The page: one HTML file that plays, watches and verifies in any browser, built from this code.

What belongs here: building that file, and the code that runs only inside it.
"""
