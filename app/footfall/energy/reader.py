"""Reader of a plant's energies at the states of a run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, Frame, MultibodyForces

from footfall.arrays import Array, Indices
from footfall.plants.coordinates import joint_damping, somewhere
from footfall.plants.dynamics import knows_potential, mass_matrix, potential_energy
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.dynamics import scratch_of
from footfall.plants.flat.energy import energies, forces
from footfall.plants.flat.tree import Links

_ROUNDING = 1e-11  # of an energy, or of what gravity does over a metre


class Energies(NamedTuple):
    """Kinetic and potential energies (n,) [J], and places of frames in W (n, frames, 3) [m]."""

    kinetic: Array
    potential: Array
    p_WF: Array


class EnergyReader:
    """Reads a plant in continuous time, and where frames of it are.

    Flat arrays tell all of it, and Drake for a plant that has what these cannot hold. Gravity is
    that of the plant when it is read, all else that of the plant when it was made.
    """

    def __init__(self, plant: MultibodyPlant, frames: Sequence[Frame] = ()) -> None:
        """Take a plant and frames of it."""
        self._plant, self._drake = plant, _DrakeReader(plant, frames)
        self.knows_potential = self._drake.knows_potential
        self._flat = _flat_reader(plant, frames, self._drake)

    def read(self, states: Array) -> Energies:
        """Read at states [q; v], (n, nq + nv)."""
        return (self._flat or self._drake).read(states)

    def kinetic(self, at: Array, moving: Array) -> Array:
        """Kinetic energies (n,) at the positions of states, with the velocities of others [J]."""
        nq = self._plant.num_positions()
        return self.read(np.hstack((at[:, :nq], moving[:, nq:]))).kinetic

    def given(self, begin: Array, end: Array, dt: float) -> Array:
        """Work of all but gravity, springs and inertia in steps of so long [s], (n,) [J].

        By M(q_A) (v_E - v_A) = dt force + all other impulses, times the mean velocity; begin, end:
        states [q; v].
        """
        nq = self._plant.num_positions()
        mean_v = 0.5 * (begin[:, nq:] + end[:, nq:])
        gained = self.kinetic(begin, end) - self.kinetic(begin, begin)
        work: Array = gained - dt * np.vecdot(mean_v, self.forces(begin))
        return work

    def forces(self, states: Array) -> Array:
        """Generalized force of gravity, springs and inertia, -C(q, v) v, at states, (n, nv)."""
        return (self._flat or self._drake).forces(states)


class _DrakeReader:
    """Asks Drake at one state after the other, in a context of its own."""

    def __init__(self, plant: MultibodyPlant, frames: Sequence[Frame]) -> None:
        self._plant, self._frames, self._damping = plant, frames, joint_damping(plant)
        self._applied = MultibodyForces(plant)
        self._context = plant.CreateDefaultContext()
        self.knows_potential = knows_potential(plant, self._context)

    def read(self, states: Array) -> Energies:
        plant, context, nv = self._plant, self._context, self._plant.num_velocities()
        kinetic, potential = np.empty((2, len(states)))
        places = np.empty((len(states), len(self._frames), 3))
        for k, state in enumerate(states):
            context.SetContinuousState(state)
            v = state[len(state) - nv :]
            kinetic[k] = 0.5 * v @ mass_matrix(plant, context) @ v  # Drake's own omits rotors
            potential[k] = potential_energy(plant, context, known=self.knows_potential)
            for place, frame in zip(places[k], self._frames, strict=True):
                place[:] = frame.CalcPoseInWorld(context).translation()
        return Energies(kinetic, potential, places)

    def forces(self, states: Array) -> Array:
        plant, context, still = self._plant, self._context, np.zeros_like(self._damping)
        force = np.empty((len(states), len(still)))
        for k, state in enumerate(states):
            context.SetContinuousState(state)
            plant.CalcForceElementsContribution(context, self._applied)  # dampers are among them
            held: Array = plant.CalcInverseDynamics(context, still, self._applied)
            force[k] = self._damping * state[len(state) - len(still) :] - held
        return force


class _FlatReader:
    """Asks flat arrays at all states at once."""

    def __init__(self, plant: MultibodyPlant, frames: Sequence[Frame], links: Links) -> None:
        self._plant, self._tree, self._work = plant, links.tree, scratch_of(links.tree)
        self._link, self._p_L = _in_links(frames, links)
        self._fixed = _fixed_moment(plant, links)

    def read(self, states: Array) -> Energies:
        gravity = self._plant.gravity_field().gravity_vector()
        kinetic, potential = np.empty((2, len(states)))
        places = np.empty((len(states), len(self._link), 3))
        at = gravity, np.ascontiguousarray(states), self._link, self._p_L
        energies(self._tree, self._work, *at, kinetic, potential, places)
        potential -= gravity @ self._fixed
        return Energies(kinetic, potential, places)

    def forces(self, states: Array) -> Array:
        gravity = self._plant.gravity_field().gravity_vector()
        force = np.empty((len(states), self._plant.num_velocities()))
        tree = self._tree._replace(gravity=gravity)
        forces(tree, self._work, np.ascontiguousarray(states), force)
        return force


def _flat_reader(
    plant: MultibodyPlant, frames: Sequence[Frame], drake: _DrakeReader
) -> _FlatReader | None:
    """A reader of flat arrays, None unless they tell what Drake does at some states."""
    links = links_of(plant)
    if not links.holds_forces:
        return None
    flat = _FlatReader(plant, frames, links)
    q = [plant.GetPositions(context) for context in somewhere(plant)]
    states = np.hstack((q, np.ones((len(q), plant.num_velocities()))))
    for told, asked in zip(flat.read(states), drake.read(states), strict=True):
        if not np.allclose(
            told, asked, rtol=_ROUNDING, atol=_ROUNDING * np.abs(asked).max(initial=1.0)
        ):
            return None
    return flat


def _in_links(frames: Sequence[Frame], links: Links) -> tuple[Indices, Array]:
    """Links of frames (k,), and places of the frames in these (k, 3)."""
    link, p_L = np.zeros(len(frames), dtype=np.int64), np.zeros((len(frames), 3))
    for k, frame in enumerate(frames):
        body = int(frame.body().index())
        R_LB, p_LB = links.pose[body]
        link[k] = links.of_body[body]
        p_L[k] = p_LB + R_LB @ frame.GetFixedPoseInBodyFrame().translation()
    return link, p_L


def _fixed_moment(plant: MultibodyPlant, links: Links) -> Array:
    """Moment of mass (3,) in W of what is welded to the world, of which Drake knows a potential."""
    context, moment = plant.CreateDefaultContext(), np.zeros(3)
    for index, link in links.of_body.items():
        if link == 0 and index != 0:
            body = plant.get_body(BodyIndex(index))
            M_B = body.CalcSpatialInertiaInBodyFrame(context)
            moment += M_B.get_mass() * (body.EvalPoseInWorld(context) @ M_B.get_com())
    return moment
