"""Friction and restitution that a scenario gives the contacts of a machine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import GeometryId, SceneGraphInspector

from footfall.plants.contacts.rules import Coefficients, PairRule, check_restitution
from footfall.plants.terrain import check_friction

# mu while sliding, mu while at rest
Friction = tuple[float, float]

_DRAKES_OWN = (1.0, 1.0)  # when a file says nothing


@dataclass(frozen=True)
class ContactMaterial:
    """Coefficients of all contact pairs, and the rules for single ones.

    friction: Coulomb coefficient of every pair; None: what the files and the terrain give by
    Drake's rule 2ab/(a+b). static_friction: while a pair does not slide; None: as friction, if that
    is given, else from the files. restitution, tangential_restitution: e_n and e_t of every contact
    of surfaces; joint limits have 0. rules: exceptions by the names of contacts; later ones win.
    Raises ScenarioError for coefficients that no law takes.
    """

    friction: float | None = None
    static_friction: float | None = None
    restitution: float = 0.0
    tangential_restitution: float = 0.0
    rules: Sequence[PairRule] = ()

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes."""
        if self.friction is not None:
            check_friction("friction", self.friction)
        if self.static_friction is not None:
            check_friction("static_friction", self.static_friction)
        check_restitution("restitution", self.restitution)
        check_restitution("tangential_restitution", self.tangential_restitution)

    @property
    def rebounds_sideways(self) -> bool:
        """Return whether any contact has a tangential restitution."""
        given = [self.tangential_restitution]
        given += [rule.tangential_restitution or 0.0 for rule in self.rules]
        return any(e_t > 0.0 for e_t in given)

    def friction_of(
        self, inspector: SceneGraphInspector, geometries: Iterable[GeometryId]
    ) -> dict[GeometryId, Friction]:
        """Return mu and mu_static of collision geometries, before the rules."""
        if self.friction is not None:
            return dict.fromkeys(geometries, (self.friction, self.friction))
        return {geometry: _friction_of_file(inspector, geometry) for geometry in geometries}

    def coefficients(
        self, surfaces: Sequence[Friction], joints: Sequence[float], names: Sequence[str]
    ) -> Coefficients:
        """Return the coefficients of all contacts by name, after the rules.

        surfaces: mu and mu_static of the contacts of surfaces, which come first; joints: mu of
        joint limits and dry joints. Raises ScenarioError for a rule that matches nothing and for
        coefficients that do not fit together.
        """
        touching, others = len(surfaces), np.array(joints, dtype=float)
        mu, mu_static = np.array(surfaces, dtype=float).reshape(-1, 2).T
        laws = Coefficients(
            mu=np.concatenate((mu, others)),
            mu_static=np.concatenate((mu_static, others)),
            touching=touching,
        )
        laws.e_n[:touching], laws.e_t[:touching] = self.restitution, self.tangential_restitution
        if self.static_friction is not None:
            laws.mu_static[:touching] = self.static_friction
        laws.apply(self.rules, names)
        laws.check(names[:touching], np.arange(touching))
        return laws


def _friction_of_file(inspector: SceneGraphInspector, geometry: GeometryId) -> Friction:
    properties = inspector.GetProximityProperties(geometry)
    if not properties.HasProperty("material", "coulomb_friction"):
        return _DRAKES_OWN
    law = properties.GetProperty("material", "coulomb_friction")
    called = inspector.GetName(geometry)
    check_friction(f"drake:mu_dynamic of '{called}'", float(law.dynamic_friction()))
    check_friction(f"drake:mu_static of '{called}'", float(law.static_friction()))
    return float(law.dynamic_friction()), float(law.static_friction())
