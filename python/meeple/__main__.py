"""`python -m meeple`: the command line of Meeple, without commands that run bots. Only the program `meeple`
can start bots."""

import signal
import sys

from meeple import _meeple


def main() -> int:
    """Runs the command line with the arguments of this process. Returns the exit code."""
    # The engines handle Ctrl-C. With the default handler it ends commands that do not.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _meeple.command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
