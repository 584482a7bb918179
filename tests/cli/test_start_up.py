"""Libraries of the command line's process write no docstrings, and work as ever."""

import subprocess
import sys

import pytest

ASK = """
import footfall.start_up
{first}
import footfall.report
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
line = Line2D([0.0, 1.0], [0.0, 1.0])
line.set(color="red", lw=2.5)
assert (line.get_color(), line.get_linewidth()) == ("red", 2.5)
try:
    line.set(colour="red")
except AttributeError:
    print([len(kind.set.__doc__ or "") > 500 for kind in (Axes, Line2D, Polygon)])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "written"), [("", True), ("footfall.start_up.start_sooner()", False)]
)
def test_docstrings_of_matplotlib_are_left_out_where_nobody_reads_them(first, written):
    asked = [sys.executable, "-c", ASK.format(first=first)]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert answer.strip() == str([written] * 3)
