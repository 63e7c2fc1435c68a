"""`python -m adjudicator`, and the command `adjudicator`: as little as can be until accidents are
told."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """The command line. While it is loaded, and while Python ends, Ctrl-C ends the process without
    a word."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from adjudicator import cli
    except Exception as error:
        line = f"this program is not whole: {type(error).__name__}: {str(error)!a:.200}"
        sys.stderr.write(f"error: {line} [fault]\nhint: install it again\n")
        sys.exit(70)
    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        cli.main()
    finally:
        if heard:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
