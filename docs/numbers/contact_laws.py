"""Numbers of docs/theory/contact_laws.md, see scripts/page_numbers.py."""

from passage import Passage

from footfall.engines.moreau_step import MODE_TOLERANCE
from footfall.trajectory.energy_watch import FAILED, LASTING, REPORTED

PASSAGES = (
    Passage("(|gamma_AT| <= {:.0e} m/s)", lambda: [MODE_TOLERANCE]),
    Passage("is a gain if it lasts {:.0f} steps", lambda: [LASTING]),
    Passage("More than {:.0f} % leaves an event", lambda: [100.0 * REPORTED]),
    Passage("More than {:.0f} % ends the run", lambda: [100.0 * FAILED]),
)
"""Words of the page, with what computes their numbers: bounds that the code has."""
