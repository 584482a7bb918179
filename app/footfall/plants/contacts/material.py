"""Friction and restitution of contacts: what files and scenario say, and rules for single ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, SceneGraphInspector

from footfall.arrays import Array
from footfall.checked import Checked, between, checked, within
from footfall.errors import ScenarioError
from footfall.plants.loading.file_physics import restitution_of
from footfall.plants.terrain import LARGEST_FRICTION, check_friction

_ROUNDING = 1e-12  # of a coefficient, which Drake's rule makes of those of two surfaces
_FRICTION, _RESTITUTION = within(0.0, LARGEST_FRICTION), within(0.0, 1.0)
# mu while sliding, mu while at rest, e_n
SurfaceLaw = tuple[float, float, float]

_DRAKES_OWN = (1.0, 1.0)  # when a file says nothing


@dataclass
class PairRule(Checked, at="pairs: '{self.contact}': "):
    """Friction and restitution of the contacts whose name matches a pattern; later rules win."""

    # Contact name or pattern, such as "biped::foot_*" (see the contact axis of a trajectory).
    contact: str = "*"
    # Coulomb coefficient of the pair; absent: from the files by Drake's rule 2ab/(a+b).
    friction: float | None = checked(None, _FRICTION)
    # Coefficient while it does not slide, not below friction; absent: as friction, if that is
    # given, else from the files.
    static_friction: float | None = checked(None, _FRICTION)
    # Coefficient along the contact's side axis s (the ground's y), if it differs from that along t.
    side_friction: float | None = between(None, 0.0, LARGEST_FRICTION, open_low=True)
    # Coefficient of restitution e_n in [0, 1]; absent: the scenario's.
    restitution: float | None = checked(None, _RESTITUTION)
    # Coefficient of tangential restitution e_t in [0, 1]; absent: the scenario's.
    tangential_restitution: float | None = checked(None, _RESTITUTION)


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


@dataclass(frozen=True)
class ContactMaterial(Checked, at=""):
    """Coefficients of all contact pairs, and the rules for single ones.

    friction: Coulomb coefficient of every pair; None: what the files and the terrain give by
    Drake's rule 2ab/(a+b). static_friction: while a pair does not slide; None: as friction, if that
    is given, else from the files. restitution: e_n of every contact of surfaces; None: the larger
    one that the files give the two. tangential_restitution: e_t likewise, 0 in all files; joint
    limits have 0 of both. rules: exceptions by the names of contacts; later ones win.
    Raises ScenarioError for coefficients that no law takes.
    """

    friction: float | None = checked(None, _FRICTION)
    static_friction: float | None = checked(None, _FRICTION)
    restitution: float | None = checked(None, _RESTITUTION)
    tangential_restitution: float = checked(0.0, _RESTITUTION)
    rules: Sequence[PairRule] = ()

    @property
    def rebounds_sideways(self) -> bool:
        """Return whether any contact has a tangential restitution."""
        given = [self.tangential_restitution]
        given += [rule.tangential_restitution or 0.0 for rule in self.rules]
        return any(e_t > 0.0 for e_t in given)

    def laws_of(
        self, inspector: SceneGraphInspector, geometries: Iterable[GeometryId]
    ) -> dict[GeometryId, SurfaceLaw]:
        """Return mu, mu_static and e_n of collision geometries, before the rules."""
        laws = {}
        for geometry in geometries:
            e_n = restitution_of(inspector, geometry) if self.restitution is None else 0.0
            if self.friction is None:
                laws[geometry] = (*_friction_of_file(inspector, geometry), e_n)
            else:
                laws[geometry] = (self.friction, self.friction, e_n)
        return laws

    def coefficients(
        self, surfaces: Sequence[SurfaceLaw], joints: Sequence[float], names: Sequence[str]
    ) -> Coefficients:
        """Return the coefficients of all contacts by name, after the rules.

        surfaces: mu, mu_static and e_n of the contacts of surfaces, which come first; joints: mu of
        joint limits and dry joints. Raises ScenarioError for a rule that matches nothing and for
        coefficients that do not fit together.
        """
        touching, others = len(surfaces), np.array(joints, dtype=float)
        mu, mu_static, e_n = np.array(surfaces, dtype=float).reshape(-1, 3).T
        laws = Coefficients(
            mu=np.concatenate((mu, others)),
            mu_static=np.concatenate((mu_static, others)),
            touching=touching,
        )
        laws.e_n[:touching] = e_n if self.restitution is None else self.restitution
        laws.e_t[:touching] = self.tangential_restitution
        if self.static_friction is not None:
            laws.mu_static[:touching] = self.static_friction
        laws.apply(self.rules, names)
        laws.check(names[:touching], np.arange(touching))
        return laws


def _friction_of_file(inspector: SceneGraphInspector, geometry: GeometryId) -> tuple[float, float]:
    properties = inspector.GetProximityProperties(geometry)
    if not properties.HasProperty("material", "coulomb_friction"):
        return _DRAKES_OWN
    law = properties.GetProperty("material", "coulomb_friction")
    called = inspector.GetName(geometry)
    check_friction(f"drake:mu_dynamic of '{called}'", float(law.dynamic_friction()))
    check_friction(f"drake:mu_static of '{called}'", float(law.static_friction()))
    return float(law.dynamic_friction()), float(law.static_friction())
