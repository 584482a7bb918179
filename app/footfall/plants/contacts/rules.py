"""Friction and restitution of single contacts, by rules that match their names."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt

from footfall.errors import ScenarioError
from footfall.plants.terrain import check_friction

Array = npt.NDArray[np.float64]


@dataclass
class PairRule:
    """Friction and restitution of the contacts whose name matches a pattern; later rules win."""

    # Contact name or pattern, such as "biped::foot_*" (see the contact axis of a trajectory).
    contact: str = "*"
    # Coulomb coefficient of the pair; absent: from the files by Drake's rule 2ab/(a+b).
    friction: float | None = None
    # Newton's coefficient of restitution e_n in [0, 1]; absent: the scenario's.
    restitution: float | None = None

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes."""
        if self.friction is not None:
            check_friction(f"pairs: friction of '{self.contact}'", self.friction)
        if self.restitution is not None and not 0.0 <= self.restitution <= 1.0:
            message = (
                f"pairs: restitution of '{self.contact}' is {self.restitution}: give a number "
                "from 0 to 1."
            )
            raise ScenarioError(message)


def apply_rules(pairs: Sequence[PairRule], names: Sequence[str], mu: Array, e_n: Array) -> None:
    """Carry out the rules in place.

    mu covers the first contacts only: what stands behind them, such as joint limits, has no
    friction. Raises ScenarioError for a rule that matches nothing.
    """
    for rule in pairs:
        matched = [i for i, name in enumerate(names) if fnmatchcase(name, rule.contact)]
        if not matched:
            message = (
                f"pairs: no contact matches '{rule.contact}'; this machine has "
                f"{', '.join(names) or 'none'}."
            )
            raise ScenarioError(message)
        if rule.friction is not None:
            mu[[i for i in matched if i < len(mu)]] = rule.friction
        if rule.restitution is not None:
            e_n[matched] = rule.restitution
