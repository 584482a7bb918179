"""Friction and restitution that a scenario gives the contacts of a machine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import GeometryId, SceneGraphInspector

from footfall.plants.contacts.rules import Coefficients, PairRule, check_restitution
from footfall.plants.loading.file_physics import restitution_of
from footfall.plants.terrain import check_friction

# mu while sliding, mu while at rest, e_n
SurfaceLaw = tuple[float, float, float]

_DRAKES_OWN = (1.0, 1.0)  # when a file says nothing


@dataclass(frozen=True)
class ContactMaterial:
    """Coefficients of all contact pairs, and the rules for single ones.

    friction: Coulomb coefficient of every pair; None: what the files and the terrain give by
    Drake's rule 2ab/(a+b). static_friction: while a pair does not slide; None: as friction, if that
    is given, else from the files. restitution: e_n of every contact of surfaces; None: the larger
    one that the files give the two. tangential_restitution: e_t likewise, 0 in all files; joint
    limits have 0 of both. rules: exceptions by the names of contacts; later ones win.
    Raises ScenarioError for coefficients that no law takes.
    """

    friction: float | None = None
    static_friction: float | None = None
    restitution: float | None = None
    tangential_restitution: float = 0.0
    rules: Sequence[PairRule] = ()

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes."""
        if self.friction is not None:
            check_friction("friction", self.friction)
        if self.static_friction is not None:
            check_friction("static_friction", self.static_friction)
        if self.restitution is not None:
            check_restitution("restitution", self.restitution)
        check_restitution("tangential_restitution", self.tangential_restitution)

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
