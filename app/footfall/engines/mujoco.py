"""MuJoCo as a LeafSystem with the ports that every engine has.

A step is MuJoCo's own, ``mj_step``, with its M and h, its contacts and its solver; Drake's plant is
what controllers, sensors and reports know. MuJoCo softens contact: a constraint is a reference of
its acceleration with an impedance, friction creeps, and there is no restitution.

    M (v_E - v_A) = (h(q_A, v_A) + B tau + f) dt + J^T Lambda,   q_E = q_A + dt v_E

with contacts and Jacobians at q_A, and dampers at v_E (``implicitfast``). So are the gains that a
controller declares: tau = tau_A - kp dt v_E - kd (v_E - v_A), by a damper in the actuator.

Source: E. Todorov, Convex and analytically-invertible dynamics with contacts and constraints
(2014); MuJoCo's documentation, Computation.
"""

from collections.abc import Iterator

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, EventStatus, LeafSystem, State

from footfall.arrays import Array
from footfall.engine_names import MUJOCO, require_abilities
from footfall.engines.mujoco_config import IMPLICIT, MujocoConfig
from footfall.engines.mujoco_places import (
    positions_to_mujoco,
    positions_to_plant,
    vectors_to_mujoco,
    vectors_to_plant,
)
from footfall.engines.ports import (
    ACTUATION,
    APPLIED_WRENCH,
    CONTACT_IMPULSES,
    CONTACT_REPORT,
    STATE,
    ContactReport,
)
from footfall.engines.touches import Happened, Touch, Touches, TouchReporter
from footfall.errors import RunError
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.motors import OF_DRAKE, Drives, PdGains


class MujocoEngine(LeafSystem):
    """A machine in MuJoCo; ports as in ``footfall.engines.ports``.

    All state is in the context: [q; v]; MuJoCo's own, qpos, qvel and the accelerations that
    warm-start its solver; and with what the last step was made, from which it is made again where
    somebody asks for its contacts and other steps came between. drives: whose torque follows their
    joints within a step, None where no gains were given. note: a line for who runs it. Raises
    ModelError for what MuJoCo has not; while stepping, RunError for torques that are no numbers and
    a state that diverges.
    """

    drives: Drives | None = None
    law = None  # of torques, which only compiled steps know

    def __init__(
        self,
        model: Model,
        contacts: ContactSet,
        time_step: float,
        config: MujocoConfig | None = None,
        gains: PdGains | None = None,
    ) -> None:
        """Take a continuous-time model, its contacts, the step [s], and gains of its controller."""
        import mujoco

        from footfall.engines.mujoco_model import MujocoModel

        super().__init__()
        config = config if config is not None else MujocoConfig()
        require_abilities(MUJOCO, {"feet that take turns": contacts.swing_foot_filter is not None})
        model.require_all_read()
        self.time_step, self.note, plant = time_step, "", model.plant
        if gains is not None and config.integrator == IMPLICIT:
            self.drives = Drives(plant, gains, time_step, OF_DRAKE)
        elif gains is not None:
            self.note = (
                "the gains that the controller declares are not used, for mujoco.integrator "
                f"{config.integrator} knows none: its torque is held over a step"
            )
        self._dynamics = dynamics = Dynamics(model, contacts)
        slopes = self.drives.slope if self.drives else None
        self._built = MujocoModel(dynamics, time_step, config, slopes)
        self._mj, self._warnings = mujoco, self._built.data.warning.number
        self._reporter = TouchReporter(dynamics, config.stick_speed)
        self._nq, self._nv = plant.num_positions(), plant.num_velocities()
        data = self._built.data
        self._own = data.qpos, data.qvel, data.qacc_warmstart
        self._inputs = *self._own, data.ctrl, data.qfrc_applied
        self._made = np.empty(0)  # inputs of the step that MuJoCo's memory holds

        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        self._applied_wrench = self.DeclareAbstractInputPort(
            APPLIED_WRENCH, Value[list[ExternallyAppliedSpatialForce]]()
        )
        default = plant.GetPositionsAndVelocities(plant.CreateDefaultContext())
        self._state = self.DeclareDiscreteState(default)
        self.DeclareDiscreteState(self._own_of(default))
        # before the first step nobody knows of any: no number
        self.DeclareDiscreteState(np.full(sum(map(len, self._inputs)), np.nan))
        # as in Drake: at once with other such events, which so do not change the torque
        self.DeclarePeriodicUnrestrictedUpdateEvent(time_step, 0.0, self._step)
        self.DeclareStateOutputPort(STATE, self._state)
        tickets = {self.all_state_ticket()}
        self.DeclareVectorOutputPort(
            CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses, tickets
        )
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report, tickets
        )

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context, and forget the last step."""
        context.SetDiscreteState(0, state)
        context.SetDiscreteState(1, self._own_of(state))
        context.SetDiscreteState(2, np.full(sum(map(len, self._inputs)), np.nan))

    def _own_of(self, state: Array) -> Array:
        """MuJoCo's own state at [q; v]."""
        q, v, places = state[: self._nq].copy(), state[self._nq :].copy(), self._built.places
        qpos, qvel = np.empty(self._nq), np.empty(self._nv)
        positions_to_mujoco(places, q, qpos)
        vectors_to_mujoco(places, q, v, qvel)
        return np.concatenate((qpos, qvel, np.zeros(self._nv)))

    def efforts(self, context: Context) -> Array:
        """Torques of the actuators at a context (nu,), as its port has them."""
        torques: Array = self._actuation.Eval(context)
        return torques

    def change_friction(self, _context: Context, contacts: ContactSet) -> None:
        """Give contacts other coefficients from the next step on; the engine keeps them."""
        self._built.take_friction(contacts)

    def change_gravity(self, _context: Context, gravity: float) -> None:
        """Let gravity [m/s^2] be another one from the next step on; the engine keeps it."""
        self._built.model.opt.gravity = [0.0, 0.0, -gravity]

    def watch(self, simulator: Simulator) -> None:
        """Do as Drake's engine does, which needs a simulator's monitor; this one needs nothing."""

    def _step(self, context: Context, update: State) -> EventStatus:
        state = context.get_discrete_state(0).get_value()
        tau = self.efforts(context)
        v = state[self._nq :]
        if self.drives is not None:
            tau = self.drives.base(tau, v) + self.drives.slope * v[self.drives.places]
        force = self._applied(context, state)
        if not (np.isfinite(tau).all() and np.isfinite(force).all()):
            raise RunError(
                f"torques or pushes are no numbers at t = {context.get_time():.4f} s: check the "
                "controller; if the run diverges, use a smaller time_step."
            )
        inputs = np.concatenate((context.get_discrete_state(1).get_value(), tau, force))
        self._make(inputs)
        self._require_sound(context.get_time())
        end = np.empty(len(state))
        data, places = self._built.data, self._built.places
        positions_to_plant(places, data.qpos, end[: self._nq])
        vectors_to_plant(places, data.qpos, data.qvel, end[self._nq :])
        values = update.get_mutable_discrete_state()
        for group, value in enumerate((end, np.concatenate(self._own), inputs)):
            values.set_value(group, value)
        return EventStatus.Succeeded()

    def _make(self, inputs: Array) -> None:
        """Make the step with some inputs; MuJoCo's memory then has its end, and its contacts."""
        at = 0
        for part in self._inputs:
            part[:] = inputs[at : at + len(part)]
            at += len(part)
        self._mj.mj_step(self._built.model, self._built.data)
        self._made = inputs

    def _require_sound(self, time: float) -> None:
        """Raise RunError for a step that MuJoCo warned of, or whose end is no number."""
        kinds = self._mj.mjtWarning
        self._warnings[int(kinds.mjWARN_BADQACC)] = 0  # before implicit dampers had their say
        if not self._warnings.any() and np.isfinite(self._built.data.qvel).all():
            return
        warned = [kinds(k).name.removeprefix("mjWARN_") for k in np.flatnonzero(self._warnings)]
        self._warnings[:] = 0
        raise RunError(
            f"MuJoCo's step at t = {time:.4f} s ends with {', '.join(warned) or 'no number'}: use "
            "a smaller time_step or softer gains."
        )

    def _applied(self, context: Context, state: Array) -> Array:
        """Generalized force in MuJoCo's coordinates of what is applied to the links."""
        force = np.zeros(self._nv)
        applied = (
            self._applied_wrench.Eval(context) if self._applied_wrench.HasValue(context) else []
        )
        if applied:
            self._dynamics.set_state(state)
            of_plant = self._dynamics.applied_force(applied)
            vectors_to_mujoco(self._built.places, state[: self._nq].copy(), of_plant, force)
        return force

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._reporter.impulses(*self._told(context)).ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        output.set_value(self._reporter.report(*self._told(context)))

    def _told(self, context: Context) -> tuple[Touches, Happened]:
        """Return where the last step had contacts, and what they did in it."""
        reporter, data = self._reporter, self._built.data
        state = context.get_discrete_state(0).get_value()
        inputs = context.get_discrete_state(2).get_value()
        if np.isnan(inputs[:1]).any():
            reporter.measure(state)
            touches = reporter.touches(0, [])
            return touches, reporter.during(self.time_step, touches, state[self._nq :])
        if not np.array_equal(inputs, self._made):
            self._make(inputs.copy())
        begin, places = np.empty(len(state)), self._built.places
        qpos, qvel = inputs[: self._nq].copy(), inputs[self._nq : self._nq + self._nv].copy()
        positions_to_plant(places, qpos, begin[: self._nq])
        vectors_to_plant(places, qpos, qvel, begin[self._nq :])
        v_mean = 0.5 * (begin[self._nq :] + state[self._nq :])
        reporter.measure(begin)  # where the contacts act
        acting = np.flatnonzero(data.contact.efc_address >= 0)
        touches = reporter.touches(len(acting), self._each(acting.tolist()))
        happened = reporter.during(self.time_step, touches, v_mean)
        self._add_joints(happened, begin, v_mean)
        reporter.measure(state)
        return touches, happened

    def _each(self, acting: list[int]) -> Iterator[Touch]:
        """Yield the contacts that have rows in the last step; MuJoCo's normal is from A to B."""
        model, data, force = self._built.model, self._built.data, np.empty(6)
        geometries, contact = self._built.geometries, data.contact
        pairs, places, frames = contact.geom.tolist(), contact.pos, contact.frame.reshape(-1, 3, 3)
        for k in acting:
            self._mj.mj_contactForce(model, data, k, force)
            a, b = pairs[k]
            frame = frames[k]
            yield Touch(geometries[a], geometries[b], places[k], force[:3] @ frame, -frame[0])

    def _add_joints(self, happened: Happened, q_A: Array, v_mean: Array) -> None:
        """Add what joint limits and dry friction in joints did, whose rows have one entry each."""
        data, kinds, contacts = self._built.data, self._mj.mjtConstraint, self._dynamics.contacts
        limit = data.efc_type == kinds.mjCNSTR_LIMIT_JOINT
        dry = data.efc_type == kinds.mjCNSTR_FRICTION_DOF
        if not (limit.any() or dry.any()):
            return
        effort = np.zeros((2, self._nv))
        dofs = self._built.model.jnt_dofadr[data.efc_id[limit]]
        np.add.at(effort[0], dofs, data.efc_force[limit])
        np.add.at(effort[1], data.efc_id[dry], data.efc_force[dry])
        of_plant = np.empty_like(effort)
        for one, turned in zip(effort, of_plant, strict=True):
            vectors_to_plant(self._built.places, data.qpos, one, turned)
        of_plant *= self.time_step
        first = contacts.num_touching
        for k, stop in enumerate(contacts.limits, start=first):
            if stop.sign * (q_A[stop.position] - stop.bound) <= 0.0:
                happened.impulse[k, 0] = of_plant[0, stop.velocity]
                happened.work[k] = stop.sign * of_plant[0, stop.velocity] * v_mean[stop.velocity]
        for k, joint in enumerate(contacts.frictions, start=first + len(contacts.limits)):
            happened.impulse[k, 1] = of_plant[1, joint.velocity]
            happened.work[k] = of_plant[1, joint.velocity] * v_mean[joint.velocity]
