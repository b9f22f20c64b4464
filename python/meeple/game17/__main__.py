"""`python -m meeple.game17` is the original's command line."""

from meeple.game17.cli import main

main()
