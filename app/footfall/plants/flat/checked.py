"""Flat arrays of plants, read once each and held against Drake's poses, M and h."""

from weakref import WeakKeyDictionary

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, MultibodyForces

from footfall.plants.coordinates import somewhere
from footfall.plants.flat.dynamics import full_matrix, mass_and_force, scratch_of
from footfall.plants.flat.tree import Links, flatten

# Of M by the links' own inertia and of h by the largest force, both as velocities of equal energy
# have them. Rounding is below 1e-13 for links as large and heavy as others. It grows with how far a
# link is from the heaviest one, squared, for its own size: where the arrays would lose so many
# digits, Drake, whose frames are in the links, serves as it does where they say something else.
_SAME = 1e-9

_read: WeakKeyDictionary[MultibodyPlant, Links] = WeakKeyDictionary()


def links_of(plant: MultibodyPlant) -> Links:
    """Links of a finalised plant, whose tree all that ask for it share."""
    links = _read.get(plant)
    if links is None:
        links = flatten(plant)
        differs = difference(plant, links) if links.holds_motion else ""
        if differs:
            links = links._replace(holds_motion=False, holds_forces=False, why_not=differs)
        if links.why_not:
            what = "forces" if links.holds_motion else "motion"
            why = f"Drake works out the {what}, which takes longer: {links.why_not}"
            links = links._replace(why_not=why)
        _read[plant] = links
    return links


def difference(plant: MultibodyPlant, links: Links) -> str:
    """Say what the arrays have otherwise than Drake at some states; empty where it is the same."""
    tree, work, forces = links.tree, scratch_of(links.tree), MultibodyForces(plant)
    v = np.linspace(-1.0, 1.0, plant.num_velocities())
    at_rest = np.zeros_like(v)
    for context in somewhere(plant):
        plant.SetVelocities(context, v)
        mass_and_force(tree, work, plant.GetPositions(context), v)
        M, mass = plant.CalcMassMatrix(context), full_matrix(tree.depth, tree.path, work.H)
        size = np.sqrt(np.maximum(np.diagonal(M), np.finfo(np.float64).tiny))
        if not (np.abs(mass - M) <= _SAME * np.outer(size, size)).all():
            return "the compiled mass matrix is not Drake's"
        plant.CalcForceElementsContribution(context, forces)
        h = -plant.CalcInverseDynamics(context, at_rest, forces)
        most = max(np.abs(h / size).max(initial=0.0), np.abs(size * v).max(initial=0.0))
        if links.holds_forces and not (np.abs(work.h - h) <= _SAME * most * size).all():
            return "the compiled forces are not Drake's"
        for body, (R, p) in links.pose.items():
            X_WB = plant.get_body(BodyIndex(body)).EvalPoseInWorld(context).GetAsMatrix34()
            X_WL = work.pose[links.of_body[body]]
            found = np.column_stack((X_WL[:, :3] @ R, X_WL[:, :3] @ p + X_WL[:, 3]))
            if not (np.abs(found - X_WB) <= _SAME * (1.0 + np.abs(X_WB[:, 3]).max())).all():
                return "the compiled links are not where Drake has them"
    return ""
