"""Friction and restitution of contacts: what files and scenario say, and rules for single ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.terrain import check_friction

_ROUNDING = 1e-12  # of a coefficient, which Drake's rule makes of those of two surfaces


@dataclass
class PairRule:
    """Friction and restitution of the contacts whose name matches a pattern; later rules win."""

    # Contact name or pattern, such as "biped::foot_*" (see the contact axis of a trajectory).
    contact: str = "*"
    # Coulomb coefficient of the pair; absent: from the files by Drake's rule 2ab/(a+b).
    friction: float | None = None
    # Coefficient while it does not slide, not below friction; absent: as friction, if that is
    # given, else from the files.
    static_friction: float | None = None
    # Coefficient along the contact's side axis s (the ground's y), if it differs from that along t.
    side_friction: float | None = None
    # Coefficient of restitution e_n in [0, 1]; absent: the scenario's.
    restitution: float | None = None
    # Coefficient of tangential restitution e_t in [0, 1]; absent: the scenario's.
    tangential_restitution: float | None = None

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes."""
        for name in ("friction", "static_friction", "side_friction"):
            value = getattr(self, name)
            if value is not None:
                check_friction(f"pairs: {name} of '{self.contact}'", value)
        if self.side_friction == 0.0:
            message = f"pairs: side_friction of '{self.contact}' is 0: give a small number instead."
            raise ScenarioError(message)
        for name in ("restitution", "tangential_restitution"):
            value = getattr(self, name)
            if value is not None:
                check_restitution(f"pairs: {name} of '{self.contact}'", value)


def check_restitution(name: str, value: float) -> None:
    """Raise ScenarioError unless a coefficient of restitution lies in [0, 1]."""
    if not 0.0 <= value <= 1.0:
        raise ScenarioError(f"{name} is {value}: give a number from 0 to 1.")


@dataclass
class Coefficients:
    """Coefficients of n contacts, (n,) each, of which some may have one name; see ContactSet.

    The first ``touching`` are of surfaces and have friction; what stands behind them, such as joint
    limits, has none.
    """

    mu: Array
    mu_static: Array
    touching: int
    side: Array = field(init=False)
    e_n: Array = field(init=False)
    e_t: Array = field(init=False)

    def __post_init__(self) -> None:
        """Begin with isotropic friction and plastic impacts."""
        self.side = np.ones_like(self.mu)
        self.e_n, self.e_t = np.zeros_like(self.mu), np.zeros_like(self.mu)

    def apply(self, pairs: Sequence[PairRule], names: Sequence[str]) -> None:
        """Carry out the rules in place.

        Raises ScenarioError for a rule that matches nothing, and where the coefficients that come
        out do not fit together.
        """
        for rule in pairs:
            matched = [i for i, name in enumerate(names) if fnmatchcase(name, rule.contact)]
            if not matched:
                raise ScenarioError(
                    f"pairs: no contact matches '{rule.contact}'; this machine has "
                    f"{', '.join(dict.fromkeys(names)) or 'none'}."
                )
            self._apply(rule, np.array(matched), names)

    def _apply(self, rule: PairRule, matched: npt.NDArray[np.int64], names: Sequence[str]) -> None:
        surfaces = matched[matched < self.touching]
        if rule.friction is not None:
            self.mu[surfaces] = self.mu_static[surfaces] = rule.friction
        if rule.static_friction is not None:
            self.mu_static[surfaces] = rule.static_friction
        if rule.side_friction is not None:
            with np.errstate(divide="ignore"):
                self.side[surfaces] = rule.side_friction / self.mu[surfaces]
        if rule.restitution is not None:
            self.e_n[matched] = rule.restitution
        if rule.tangential_restitution is not None:
            self.e_t[surfaces] = rule.tangential_restitution
        self.check([names[i] for i in surfaces], surfaces)

    def check(self, names: Sequence[str], places: npt.NDArray[np.int64]) -> None:
        """Raise ScenarioError for a contact that slides harder than it sticks, or only sideways.

        Coefficients that differ by rounding alone become the same.
        """
        for name, i in zip(names, places, strict=True):
            if self.mu_static[i] < self.mu[i] * (1.0 - _ROUNDING):
                raise ScenarioError(
                    f"static_friction of '{name}' is {self.mu_static[i]:g}, below its friction "
                    f"{self.mu[i]:g}: make it at least as large."
                )
            self.mu_static[i] = max(self.mu_static[i], self.mu[i])
            if not np.isfinite(self.side[i]):
                message = f"pairs: '{name}' has side_friction, but no friction: give it both."
                raise ScenarioError(message)
