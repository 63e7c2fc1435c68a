"""`python -m adjudicator`, and the command `adjudicator`: as little as can be until accidents are
told."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """The command line, which also `git bisect run` may call."""
    try:
        _run()
    except SystemExit as ended:
        from adjudicator import bisecting

        if isinstance(ended.code, int):
            sys.exit(bisecting.exit_code(ended.code, sys.argv[1:]))
        raise


def _run() -> None:
    """Load and run the command. While it is loaded, and while Python ends, Ctrl-C ends the process
    without a word."""
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
        sys.unraisablehook = _lost
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        cli.main()
    finally:
        if heard:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _lost(given: sys.UnraisableHookArgs) -> None:
    """What was raised where Python drops it, as when a module's lock is collected: Ctrl-C comes
    again, a moment later."""
    if not isinstance(given.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(given)
        return
    if hasattr(signal, "setitimer"):  # Windows has none: there one presses it again.
        # As Ctrl-C is heard by then: while Python ends it says no word.
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.05)


if __name__ == "__main__":
    main()
