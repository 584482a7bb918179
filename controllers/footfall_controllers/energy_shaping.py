"""Drive a passive walker to the energy of its limit cycle, by its hip alone.

During a step a passive walker keeps its total energy E about the foot it stands on: its limit cycle
is a curve of constant E. A hip torque tau changes it by ``dE/dt = tau w``, w being the rate of the
hip, and nothing else does: the torque is internal, and the standing foot rests.

Frames: W world, B body of a foot, C its contact point.
"""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import FINITE, NOT_NEGATIVE, Checked, positive
from footfall.plants.contacts import ContactSet
from footfall.plants.flat.motion import NO_FRAMES, PlantMotion
from footfall.plants.flat.shaping import EnergyLaw, energy_torque, hip_torque, standing_foot


@dataclass(frozen=True)
class EnergyShapingParameters(Checked):
    """The law tau = -gain (E - energy) w, within a limit.

    energy [J]: of the limit cycle, about the standing foot. gain [s]: the error decays at the rate
    gain w^2; 0 leaves the machine passive. most_torque [N m]: bound of |tau|, or None for none.
    smooth: approach the bound as most_torque tanh(tau / most_torque) does, which an integrator
    of high order and a complex-step derivative can follow; else cut tau off there.
    Raises ValueError for NaN, infinity, a negative gain and a bound that is not positive.
    """

    energy: float = field(metadata=FINITE)
    gain: float = field(metadata=NOT_NEGATIVE)
    most_torque: float | None = positive(None)
    smooth: bool = True

    @property
    def numbers(self) -> tuple[float, float, float, bool]:
        """Energy, gain, bound, which is infinite for none, and whether that is smooth."""
        most = np.inf if self.most_torque is None else self.most_torque
        return self.energy, self.gain, most, self.smooth

    def torque(self, energy: Array, rate: Array) -> Array:
        """Torque tau [N m] at energies E [J] and hip rates w [rad/s], each of any one shape.

        The law itself, without a plant, for simulations that know E in closed form. Analytic, so
        that complex E and w will do, unless the bound is a hard one.
        """
        return energy_torque(*self.numbers, energy, rate)


@dataclass(frozen=True)
class FootPoint:
    """A point of a body that the machine stands on: the link's name and p_BC [m]."""

    body: str
    p_BC: tuple[float, float, float]

    @classmethod
    def of_contact(cls, contacts: ContactSet, name: str) -> "FootPoint":
        """Take the foot from a contact with the ground, by its name, ``model::contact``.

        Raises ValueError for unknown names and for shapes that roll: on them no point rests.
        """
        ground = contacts.names[: contacts.num_ground]
        if name not in ground:
            raise ValueError(f"no contact with the ground is '{name}'; there are {list(ground)}")
        index = ground.index(name)
        shape = next(s for s in contacts.ground if s.first <= index < s.first + len(s.points))
        if shape.points.radius > 0.0 or shape.points.num_moving:
            raise ValueError(f"foot '{name}' is round and rolls: give it a sphere of radius 0")
        x, y, z = shape.points.fixed[index - shape.first]
        return cls(shape.body.scoped_name().get_full(), (float(x), float(y), float(z)))

    def body_of(self, plant: MultibodyPlant) -> RigidBody:
        """Its body in a plant; raises ValueError where there is none."""
        return _body(plant, self.body)


class EnergyShaping(LeafSystem):
    """Hip torque that brings the energy about the standing foot to that of a limit cycle.

    Input: ``state`` [q; v] of the machine. Output: ``actuation`` [N m], of its one actuator. The
    actuator should act between two bodies of the machine, as a hip does; between the machine and
    the world it would be an external torque.

    E = T + V - M g h, with h the height of the standing foot. The standing foot is the slower one
    of the two, judged by the state alone: whatever engine moves the machine, the foot that carries
    it rests until the next impact, which brings it off the ground within an instant. Were both at
    rest, their distance would be as well, which with straight legs means w = 0 and no torque: the
    choice never makes a jump. In flight the law still answers, but E means nothing.

    Source: A. Goswami, B. Espiau, A. Keramane, "Limit cycles in a passive compass gait biped and
    passivity-mimicking control laws", Autonomous Robots 4 (1997) 273-286. Theirs are E about the
    standing foot, its reference, and the hip as the only actuator. They ask for an exponential
    dE/dt = -lambda (E - E_ref), thus for tau = -lambda (E - E_ref) / w, which is unbounded where
    the hip comes to rest, once in a step of theirs. Here the error is multiplied by w instead: this
    makes (E - E_ref)^2 / 2 a storage function that never grows during a step, as in M. W. Spong,
    J. K. Holm, D. Lee, "Passivity-based control of bipedal locomotion", IEEE Robotics & Automation
    Magazine 14 (2007) 30-40; the limit on the torque keeps that. An impact may raise the error,
    here as there; and what is unstable within the surface E = E_ref stays so, whatever the gain.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        feet: tuple[FootPoint, FootPoint],
        parameters: EnergyShapingParameters,
    ) -> None:
        """Take a continuous-time plant as the controller's model of the machine; it is kept.

        Raises ValueError unless it has just one actuator, on a joint of one degree of freedom, and
        both bodies of the feet.
        """
        super().__init__()
        if plant.num_actuators() != 1 or plant.num_actuated_dofs() != 1:
            count = plant.num_actuators()
            raise ValueError(f"energy shaping drives one hip; the machine has {count} actuators")
        self._motion = PlantMotion(
            plant, [(foot.body_of(plant).body_frame(), foot.p_BC) for foot in feet]
        )
        hip = plant.MakeActuationMatrix()[:, 0].copy()
        self._law = EnergyLaw(*parameters.numbers, hip, self._motion.fixed or NO_FRAMES)
        self._nq = plant.num_positions()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", 1, self._calc_actuation)

    @property
    def law(self) -> EnergyLaw | None:
        """The law for compiled runs; None for a plant that the flat arrays do not hold."""
        return None if self._motion.fixed is None else self._law

    def standing(self, state: Array) -> int:
        """Return the stance foot, 0 or 1, at a state [q; v]: the slower one."""
        self._motion.set(state[: self._nq], state[self._nq :])
        return standing_foot(self._motion.frames.V)

    def energy(self, state: Array) -> float:
        """Energy E [J] about the standing foot at a state [q; v]; springs count as well."""
        return self._motion.energy_about(self.standing(state))

    def torque(self, state: Array) -> Array:
        """Hip torque (1,) [N m] at a state [q; v], as the port ``actuation`` has it."""
        return np.array([hip_torque(self._law, self.energy(state), state[self._nq :])])

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.torque(self._state.Eval(context)))


def _body(plant: MultibodyPlant, name: str) -> RigidBody:
    """Body by its plain name or ``model::link``; raises ValueError where there is none."""
    model, _, link = name.rpartition("::")
    try:
        if model:
            return plant.GetBodyByName(link, plant.GetModelInstanceByName(model))
        return plant.GetBodyByName(link)
    except RuntimeError as error:
        raise ValueError(f"the machine has no one body '{name}' to stand on") from error
