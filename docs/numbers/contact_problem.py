"""Numbers of docs/theory/contact_problem.md, see scripts/page_numbers.py."""

from passage import Passage

from footfall.engines.impacts import ACCEPTED
from footfall.engines.islands import MANY_OF_A_TREE, MANY_ROWS
from footfall.engines.moreau_config import MoreauConfig
from footfall.solvers.fallback_chain import MANY
from footfall.solvers.kernels import SPREAD
from footfall.solvers.natural_map import FARTHEST
from footfall.solvers.velocity_space import GOOD, MOST_ROWS

PASSAGES = (
    Passage("is at most `tolerance` ({:.0e}) times", lambda: [MoreauConfig().tolerance]),
    Passage("The scale is bounded by {:.0f}e4 |q|/|W|_2", lambda: [1e-4 * FARTHEST]),
    Passage("all the same with up to {:.0e}, and one", lambda: [ACCEPTED]),
    Passage("| up to {:.0f} rows, at last: without", lambda: [MANY]),
    # impulses have the scale of the root of 1/W
    Passage("differ by more than a factor of {:.0f}", lambda: [SPREAD**2]),
    Passage("`settled-modes` | with {:.0f} rows and more", lambda: [MANY]),
    Passage("more than {:.0f} rows of contact go to another", lambda: [MANY_ROWS]),
    Passage("another method first (up to {:.0f}, after", lambda: [MANY_OF_A_TREE]),
    Passage("if their residual is below {:.0e}: r is", lambda: [GOOD]),
    Passage("up to {:.0f} rows, `settled-modes` from", lambda: [MOST_ROWS]),
)
"""Words of the page, with what computes their numbers: bounds that the code has."""

GIVEN: dict[str, tuple[str, ...]] = {}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
