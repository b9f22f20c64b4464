"""`python -m meeple` is the command line of Meeple, all of it but bots, which are begun by the program `meeple` alone."""

import signal
import sys

from meeple import _meeple


def main() -> int:
    """Does what the words of this process say."""
    # As for the program: Ctrl-C is the engines' business, and ends what does not listen to it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _meeple.command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
