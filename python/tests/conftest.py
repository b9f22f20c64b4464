"""What all tests share."""

import signal

# In the background of a shell Ctrl-C is ignored, and Python leaves it so: tests that press it would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)
