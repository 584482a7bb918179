"""What every test shares: figures need no screen, and a test that failed once fails again."""

import os

from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# The examples are drawn from a fixed seed. No deadline: the first example may wait for numba.
settings.register_profile("footfall", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("footfall")
