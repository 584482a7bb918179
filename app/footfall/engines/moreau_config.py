"""Options of the Moreau engine in a scenario."""

from dataclasses import dataclass

import numpy as np

from footfall.engines.impacts import IMPACT_LAWS
from footfall.errors import ScenarioError
from footfall.solvers import METHODS, method_name

FIRST_ORDER, MIDPOINT = "moreau", "implicit-midpoint"
SCHEMES = (FIRST_ORDER, MIDPOINT)


@dataclass
class MoreauConfig:
    """Options of the Moreau engine: impacts, and the solution of contact problems."""

    # How a step goes: "moreau", of first order; or "implicit-midpoint", of second order between
    # impacts, which has no trend in energy and takes three to seven times as long.
    scheme: str = "moreau"
    # What an impact does: "newton" (normal velocity times -e_n), "poisson" (impulse of expansion
    # is e_n times that of compression), or "chatterjee-ruina" (one collision after another).
    impact_law: str = "newton"
    # "fallback-chain" tries exact enumeration, Newton, Gauss-Seidel and proximal regularisation; or
    # one of these by name; or "fixed-point", the augmented-Lagrangian iteration of the biped
    # report.
    solver: str = "fallback-chain"
    # Natural-map residual that is asked of a solution, over the scale of its impulses. Where none
    # comes so near, a step takes one of up to 1e-8, and an event counts these steps.
    tolerance: float = 1e-10
    # The r of the fixed point; it converges below 2 / lambda_max(W). The report's is 0.5.
    prox_parameter: float = 0.5
    # Keep closed contacts at gap zero: out of the penetration that a landing leaves, and without
    # the drift of a pressed contact that moves; without it they keep both, as in Moreau's scheme.
    recover_gaps: bool = False
    # Gap beyond which a contact that was pressed in the last step takes no part in the next one [m
    # or rad]; the default is what rounding opens. A sole that turns while it bears drifts off by
    # some 1e-7 m a step, and with 1e-6 its corners do not lose the ground for single steps. Of no
    # use where gaps are recovered, and in the scheme "implicit-midpoint".
    release_gap: float = 1e-12
    # Bound on the iterations of the method (of each stage, for the chain); 0: its own.
    max_iterations: int = 0

    def __post_init__(self) -> None:
        """Refuse unknown solvers and numbers that cannot work."""
        known_names = {"scheme": SCHEMES, "solver": METHODS, "impact_law": IMPACT_LAWS}
        for name, known in known_names.items():
            value = getattr(self, name)
            if method_name(value) not in known:
                message = f"moreau.{name} is '{value}': choose one of {', '.join(known)}."
                raise ScenarioError(message)
        if self.max_iterations < 0:
            raise ScenarioError(
                f"moreau.max_iterations is {self.max_iterations}: give a count, or 0 for the "
                "method's own."
            )
        for name in ("tolerance", "prox_parameter", "release_gap"):
            value = getattr(self, name)
            if not 0.0 < value < np.inf:
                raise ScenarioError(f"moreau.{name} is {value}: give a positive number.")
