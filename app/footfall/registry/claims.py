"""Claims of documents, values of runs, and the verdict between them."""

import math
from dataclasses import dataclass
from typing import Literal

_MOST_DIGITS = 15  # of a double

Verdict = Literal["reproduced", "fitted", "predicted", "differs"]


@dataclass(frozen=True)
class Claim:
    """One published statement held against a run.

    value and published are in SI; tolerance is absolute, in the same unit, and reason says where it
    comes from or why the run differs. source: document, section or figure.
    """

    name: str
    unit: str
    value: float
    published: float
    tolerance: float
    verdict: Verdict
    source: str
    reason: str

    def digits(self, least: int) -> int:
        """Digits that tell the values to their tolerance, and at least so many."""
        if not (self.tolerance > 0.0 and math.isfinite(self.published) and self.published != 0.0):
            return least
        places = math.log10(abs(self.published) / self.tolerance)
        return min(max(least, math.ceil(places) + 1), _MOST_DIGITS)


def judged(
    name: str,
    unit: str,
    value: float,
    published: float,
    tolerance: float,
    *,
    source: str,
    reason: str,
    fitted: bool = False,
) -> Claim:
    """Judge a value: within the tolerance it is reproduced or fitted, beyond it differs.

    fitted: a free parameter was set to get the value.
    """
    inside = abs(value - published) <= tolerance
    verdict: Verdict = ("fitted" if fitted else "reproduced") if inside else "differs"
    return Claim(name, unit, value, published, tolerance, verdict, source, reason)
