"""Options of the Moreau engine in a scenario."""

from dataclasses import dataclass

from footfall.checked import Checked, checked, metadata, not_negative, one_of, positive
from footfall.engines.impacts import IMPACT_LAWS
from footfall.solvers import METHODS, method_name

FIRST_ORDER, MIDPOINT = "moreau", "implicit-midpoint"
SCHEMES = (FIRST_ORDER, MIDPOINT)


_SOLVER = metadata(lambda name: method_name(name) in METHODS, f"choose one of {', '.join(METHODS)}")


@dataclass
class MoreauConfig(Checked, at="moreau."):
    """Options of the Moreau engine: impacts, and the solution of contact problems."""

    # How a step goes: "moreau", of first order; or "implicit-midpoint", of second order between
    # impacts, which has no trend in energy and takes five to eight times as long.
    scheme: str = one_of(FIRST_ORDER, SCHEMES)
    # What an impact does: "newton" (normal velocity times -e_n), "poisson" (impulse of expansion
    # is e_n times that of compression), or "chatterjee-ruina" (one collision after another).
    impact_law: str = one_of("newton", IMPACT_LAWS)
    # "fallback-chain" tries exact enumeration, Newton, interior points and proximal regularisation;
    # or another method by name; or "fixed-point", the augmented-Lagrangian iteration of the biped
    # report.
    solver: str = checked("fallback-chain", _SOLVER)
    # Natural-map residual that is asked of a solution, over the scale of its impulses. Where none
    # comes so near, a step takes one of up to 1e-8, and an event counts these steps.
    tolerance: float = positive(1e-10)
    # The r of the fixed point; it converges below 2 / lambda_max(W). The report's is 0.5.
    prox_parameter: float = positive(0.5)
    # Keep closed contacts at gap zero: out of the penetration that a landing leaves, and without
    # the drift of a pressed contact that moves; without it they keep both, as in Moreau's scheme.
    recover_gaps: bool = False
    # Gap beyond which a contact that was pressed in the last step takes no part in the next one [m
    # or rad]; the default is what rounding opens. A sole that turns while it bears drifts off by
    # some 1e-7 m a step, and with 1e-6 its corners do not lose the ground for single steps. Of no
    # use where gaps are recovered, and in the scheme "implicit-midpoint".
    release_gap: float = positive(1e-12)
    # Bound on the iterations of the method (of each stage, for the chain); 0: its own.
    max_iterations: int = not_negative(0, "give a count, or 0 for the method's own")
