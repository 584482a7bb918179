"""Options of the Moreau engine in a scenario."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from footfall.checked import Check, Checked, checked, metadata, not_negative, positive
from footfall.engines.impacts import IMPACT_LAWS
from footfall.engines.own import OWN_PARTS, Python
from footfall.solvers import METHODS, method_name

FIRST_ORDER, MIDPOINT = "moreau", "implicit-midpoint"
SCHEMES = (FIRST_ORDER, MIDPOINT)


COULOMB = "coulomb"
_OF_LAWS = ("fallback-chain", "ladder", "fixed-point")  # that solve for a law of one's own


def _or_own(names: Collection[str], name_of: Callable[[str], str] = str) -> Mapping[str, Check]:
    """Return the metadata of a field of names, or of a function of one's own in their place."""
    return metadata(
        lambda given: isinstance(given, Python) or name_of(given) in names,
        f"choose one of {', '.join(names)}, or !Python {{file: ..., name: ...}}",
    )


_SCHEME, _FRICTION = _or_own(SCHEMES), _or_own((COULOMB,))
_IMPACT, _SOLVER = _or_own(IMPACT_LAWS), _or_own(METHODS, method_name)


@dataclass
class MoreauConfig(Checked, at="moreau."):
    """Options of the Moreau engine: impacts, and the solution of contact problems."""

    # How a step goes: "moreau", of first order; or "implicit-midpoint", of second order between
    # impacts, which has no trend in energy and takes five to eight times as long; or a !Python
    # {file, name, parameters}, a function of your own, called as name(q, v, dt, dynamics).
    scheme: str | Python = checked(FIRST_ORDER, _SCHEME)
    # What an impact does: "newton" (normal velocity times -e_n), "poisson" (impulse of expansion
    # is e_n times that of compression), or "chatterjee-ruina" (one collision after another); or a
    # !Python, called as name(W, gamma, mu, e_n, e_t, dim).
    impact_law: str | Python = checked("newton", _IMPACT)
    # "coulomb", or a set of friction impulses of your own, by the nearest point in it:
    # !Python {file: laws.py, name: disc}, called as disc(x, r_n, mu). Its code is run.
    friction_law: str | Python = checked(COULOMB, _FRICTION)
    # "fallback-chain" tries exact enumeration, Newton, interior points and proximal regularisation;
    # or another method by name; or "fixed-point", the augmented-Lagrangian iteration of the biped
    # report; or a !Python, called as name(W, q, mu, dim, guess).
    solver: str | Python = checked("fallback-chain", _SOLVER)
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

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if not isinstance(self.friction_law, Python):
            return
        if self.impact_law in ("poisson", "chatterjee-ruina"):
            raise self.refusal(
                f"friction_law is your own, and impact_law {self.impact_law} knows only Coulomb's: "
                "take newton, or one of your own"
            )
        if not isinstance(self.solver, Python) and self.solver not in _OF_LAWS:
            raise self.refusal(
                f"solver is '{self.solver}', which knows no friction_law of your own: choose one "
                f"of {', '.join(_OF_LAWS)}, or one of your own"
            )

    @property
    def own(self) -> dict[str, Python]:
        """Functions of one's own, by the fields that hold them."""
        held = {name: getattr(self, name) for name in OWN_PARTS}
        return {name: part for name, part in held.items() if isinstance(part, Python)}
