"""Numbers of docs/theory/drake_contact.md, see scripts/page_numbers.py."""

from collections.abc import Callable, Sequence

from passage import Passage

from footfall.engines.drake import DrakeConfig
from footfall.engines.drake_material import NEAR_RIGID


def _stiff(approximation: str, scale: float) -> Callable[[], Sequence[float]]:
    """Stiffness over mass, in a power of ten [1/s^2], and the dissipation [s/m]."""
    material = NEAR_RIGID[approximation]
    return lambda: [material.stiffness_over_mass / scale, material.dissipation]


PASSAGES = (
    Passage(
        "| `sap` | {:.0f}e6 1/s² | \u2013 | {:.0f}e-3 s |",
        lambda: [
            NEAR_RIGID["sap"].stiffness_over_mass / 1e6,
            NEAR_RIGID["sap"].relaxation_time / 1e-3,
        ],
    ),
    Passage("| `lagged` | {:.0f}e5 1/s² | {:.0f} s/m |", _stiff("lagged", 1e5)),
    Passage("| `similar` | {:.0f}e5 1/s² | {:.0f} s/m |", _stiff("similar", 1e5)),
    Passage("`drake.stick_speed` ({:.0f} mm/s)", lambda: [1e3 * DrakeConfig().stick_speed]),
)
"""Words of the page, with what computes their numbers: the near-rigid material and a threshold."""

GIVEN: dict[str, tuple[str, ...]] = {}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
