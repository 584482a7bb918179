"""Moreau's time stepping as a LeafSystem.

Any Drake plant with set-valued contact, friction and restitution.

One step of length dt from t_A to t_E, with the plant as provider of M, h, gaps and Jacobians:

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau) dt + J_M^T Lambda    (contacts with gap(q_M) <= 0)
    q_E = q_M + dt/2 N(q_M) v_E

Source: Moreau (1988); Leine & Glocker (2003); document "TUlip", part II, section v. First order in
dt, because h takes v_A. Penetration: a contact acts once its gap at the midpoint is not positive,
at velocity level only; the gap is neither projected nor stabilised, so a landing leaves a
penetration of at most one step's approach.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, EventStatus, LeafSystem

from footfall.contact import classify
from footfall.engines.moreau_step import contact_step, free_velocity
from footfall.engines.ports import ACTUATION, CONTACT_IMPULSES, CONTACT_REPORT, STATE, ContactReport
from footfall.errors import ModelError, RunError, ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.load import Model
from footfall.solvers import METHODS, ContactNotSolved, ContactProblem, Impulses, Rung, Status

Array = npt.NDArray[np.float64]

# columns of the contact record, one row a contact
_IMPULSE, _VELOCITY, _POINT = slice(0, 3), slice(3, 6), slice(6, 9)
_GAP, _MODE, _WORK = 9, 10, 11
_COLUMNS = 12
# behind the rows: residual, iterations, rung
_TAIL = 3


@dataclass
class MoreauConfig:
    """How the Moreau engine solves its contact problems."""

    # "ladder" tries exact enumeration, then Newton, then Gauss-Seidel; or one of them by name, or
    # "fixed-point", the augmented-Lagrangian iteration of the biped report.
    solver: str = "ladder"
    # Natural-map residual that an accepted solution may have, over the scale of its impulses.
    tolerance: float = 1e-10
    # The r of the fixed point; it converges below 2 / lambda_max(W). The report's is 0.5.
    prox_parameter: float = 0.5
    # Bound on the iterations of one rung.
    max_iterations: int = 20_000

    def __post_init__(self) -> None:
        """Refuse unknown solvers and numbers that cannot work."""
        if self.solver not in METHODS:
            message = f"moreau.solver is '{self.solver}': choose one of {', '.join(METHODS)}."
            raise ScenarioError(message)
        for name in ("tolerance", "prox_parameter", "max_iterations"):
            value = getattr(self, name)
            if not 0.0 < value < np.inf:
                message = f"moreau.{name} is {value}: give a positive number."
                raise ScenarioError(message)


class MoreauEngine(LeafSystem):
    """A machine in rigid contact; ports as in ``footfall.engines.ports``.

    All state is in the context: [q; v] and the record of the last step, which also warm-starts the
    next one. Raises ModelError for a plant with constraints that this engine does not know; while
    stepping, ContactNotSolved, and RunError for a NaN at the actuation port or a state that
    diverges.
    """

    def __init__(
        self,
        model: Model,
        contacts: ContactSet,
        time_step: float,
        config: MoreauConfig | None = None,
    ) -> None:
        """Take a continuous-time model, its contact points and the step [s]."""
        super().__init__()
        self.config = config if config is not None else MoreauConfig()
        self.model = model
        self.contacts = contacts
        self.time_step = time_step
        plant = model.plant
        _refuse_unknown_constraints(model)
        self._dynamics = Dynamics(model, contacts)
        self._method = METHODS[self.config.solver]
        self._nq, self._nv = plant.num_positions(), plant.num_velocities()
        self._X_WT = model.spec.terrain.X_WTerrain()
        self._effort = self._dynamics.effort_limits
        self._actuated = self._dynamics.actuation_matrix

        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        default = plant.GetPositionsAndVelocities(plant.CreateDefaultContext())
        state = self.DeclareDiscreteState(default)
        record = self.DeclareDiscreteState(np.zeros(len(contacts) * _COLUMNS + _TAIL))
        self.DeclarePeriodicDiscreteUpdateEvent(time_step, 0.0, self._step)
        self.DeclareStateOutputPort(STATE, state)
        tickets = {self.discrete_state_ticket(record)}
        self.DeclareVectorOutputPort(
            CONTACT_IMPULSES, 3 * len(contacts), self._calc_impulses, tickets
        )
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report, tickets
        )

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context and forget the last step's impulses."""
        context.SetDiscreteState(0, state)
        context.SetDiscreteState(1, np.zeros(len(self.contacts) * _COLUMNS + _TAIL))

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._rows(context)[:, _IMPULSE].ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        rows = self._rows(context)
        residual, iterations, rung = context.get_discrete_state(1).get_value()[-_TAIL:]
        output.set_value(
            ContactReport(
                names=self.contacts.names,
                point_W=self._X_WT.multiply(rows[:, _POINT].T).T if len(rows) else np.zeros((0, 3)),
                gap=rows[:, _GAP],
                impulse=rows[:, _IMPULSE],
                velocity=rows[:, _VELOCITY],
                mode=rows[:, _MODE].astype(np.int8),
                work=rows[:, _WORK],
                residual=float(residual),
                iterations=int(iterations),
                rung=int(rung),
            )
        )

    def _rows(self, context: Context) -> Array:
        record: Array = context.get_discrete_state(1).get_value().copy()
        return record[: len(record) - _TAIL].reshape(len(self.contacts), _COLUMNS)

    def _step(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        dt, dynamics = self.time_step, self._dynamics
        state = context.get_discrete_state(0).get_value()
        q_a, v_a = state[: self._nq].copy(), state[self._nq :].copy()
        tau = self._effort_limited(context)
        if not dynamics.identity_kinematics:
            dynamics.set_state(state)
        q_m = dynamics.advance_positions(q_a, v_a, 0.5 * dt)
        dynamics.set_state(np.concatenate((q_m, v_a)))
        mass = dynamics.mass_matrix()
        force = dynamics.h() + self._actuated @ tau
        gap, p_TC = dynamics.gaps()

        record = np.zeros(len(self.contacts) * _COLUMNS + _TAIL)
        rows = record[: len(record) - _TAIL].reshape(len(self.contacts), _COLUMNS)
        rows[:, _GAP] = gap
        rows[:, _POINT] = p_TC
        rows[: self.contacts.num_points, 8] -= self.contacts.radius
        active = gap <= 0.0
        if active.any():
            v_e = self._resolve(context, mass, force, v_a, active, record, rows)
        else:
            v_e = free_velocity(mass, force, v_a, dt)
        q_e = dynamics.advance_positions(q_m, v_e, 0.5 * dt)
        if not np.isfinite(v_e @ v_e):
            message = (
                f"the state diverges at t = {context.get_time():.4f} s: the last velocity "
                f"is {np.abs(v_a).max():.3g} at "
                "most; use a smaller time_step or softer gains."
            )
            raise RunError(message)
        discrete.get_mutable_vector(0).SetFromVector(np.concatenate((q_e, v_e)))
        discrete.get_mutable_vector(1).SetFromVector(record)
        return EventStatus.Succeeded()

    def _effort_limited(self, context: Context) -> Array:
        tau: Array = self._actuation.Eval(context)
        if not np.isfinite(tau @ tau):
            place = int(np.flatnonzero(~np.isfinite(tau))[0]) if not np.isfinite(tau).all() else 0
            name = self.model.plant.GetActuatorNames()[place]
            message = (
                f"the controller sends {tau[place]} to actuator '{name}' at t = "
                f"{context.get_time():.4f} s: check its "
                "inputs and gains."
            )
            raise RunError(message)
        return np.clip(tau, -self._effort, self._effort)

    def _resolve(
        self,
        context: Context,
        mass: Array,
        force: Array,
        v_a: Array,
        active: npt.NDArray[np.bool_],
        record: Array,
        rows: Array,
    ) -> Array:
        """Solve the contact problem of the active contacts; fills the record, returns v_E."""
        jacobian = self._dynamics.contact_jacobian(active)
        mu, e_n, dim = (
            self.contacts.mu[active],
            self.contacts.restitution[active],
            self.contacts.dim,
        )
        guess = self._rows(context)[active, _IMPULSE]
        v_e, impulse, velocity, work, delassus, q, residual, rung, iterations, status = (
            contact_step(
                mass,
                force,
                v_a,
                self.time_step,
                jacobian,
                mu,
                e_n,
                dim,
                guess,
                self._method,
                self.config.tolerance,
                self.config.prox_parameter,
                self.config.max_iterations,
            )
        )
        if status != Status.SOLVED:
            r = np.ascontiguousarray(impulse[:, :dim]).ravel()
            best = Impulses(r, delassus @ r + q, residual, Rung(rung), iterations, Status(status))
            raise ContactNotSolved(
                ContactProblem(delassus, q, mu, dim), best, self.config.tolerance
            )
        rows[active, _IMPULSE] = impulse
        rows[active, _VELOCITY] = velocity
        rows[active, _MODE] = classify(impulse, velocity, mu)
        rows[active, _WORK] = work
        record[-_TAIL:] = residual, iterations, rung
        return v_e


def _refuse_unknown_constraints(model: Model) -> None:
    plant = model.plant
    if plant.num_constraints() > 0:
        message = (
            f"the model declares {plant.num_constraints()} constraint(s) (couplers, "
            "loops), which the Moreau engine does "
            "not enforce: run it with --engine drake, or remove them."
        )
        raise ModelError(message)
