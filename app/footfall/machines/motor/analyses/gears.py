"""Simulations of the scenario's motor behind other gears."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

from footfall.analysis.factory import Row, Simulation, SimulationFactory
from footfall.machines.motor.measures import start_acceleration
from footfall.textbook.motor import GearedMotor

_INSTANT = 1e-6  # s between the three rows that tell an acceleration: far below a time constant


@dataclass(frozen=True)
class Gears:
    """Simulates a motor in an engine with any gear ratio; actuator: what the model calls it."""

    factory: SimulationFactory
    engine: str
    actuator: str
    motor: GearedMotor

    def accelerations(self, ratio: float, angle: float, speeds: Sequence[float]) -> list[float]:
        """Accelerations of the load [rad/s^2] at an angle [rad] and some speeds [rad/s]."""
        short = {"time_step": _INSTANT, "duration": 4.0 * _INSTANT}
        simulation, found = self._simulation(ratio, short), []
        for speed in speeds:
            rows = list(islice(simulation.rows(np.array([angle, speed])), 3))
            times = np.array([row.time for row in rows])
            found.append(start_acceleration(times, np.array([row.state[1] for row in rows])))
        return found

    def time_to(self, ratio: float, start: float, turn: float) -> float:
        """Return the time of a turn by an angle from rest at another [rad]; else NaN.

        Between two rows it goes along the cubic through their angles and speeds.
        """
        rows: list[Row] = []
        for row in self._simulation(ratio).rows(np.array([start, 0.0])):
            rows.append(row)
            if row.state[0] >= start + turn:
                break
        else:
            return math.nan
        last, row = rows[-2:]
        (q, v), (q_e, v_e) = last.state.tolist(), row.state.tolist()
        path = CubicHermiteSpline([last.time, row.time], [q, q_e], [v, v_e])
        return float(brentq(lambda t: float(path(t)) - start - turn, last.time, row.time))

    def _simulation(self, ratio: float, values: Mapping[str, object] | None = None) -> Simulation:
        motors = {"motors": {self.actuator: self._with_gear(ratio)}}
        return self.factory.simulation(self.engine, motors | dict(values or {}))

    def _with_gear(self, ratio: float) -> dict[str, float]:
        """Return the motor with a gear, as a scenario says it."""
        motor = self.motor
        values = {
            "gear_ratio": ratio,
            "rotor_inertia": motor.J_m,
            "friction": motor.B,
            "torque_limit": motor.limit,
            "stall_torque": motor.stall,
            "no_load_speed": motor.no_load,
        }
        return {name: float(value) for name, value in values.items() if math.isfinite(value)}
