"""Bound of the jump distance by the angular momentum of the flight, and how near a jump comes.

In flight the angular momentum H about the mass centre is kept whatever the torque does, and
the line PR, at the angle psi = theta1 + theta2/2, turns by

    psi' = H/(2 (J + K cos theta2)),   slowest when the machine is straight.

The line may not lean by more than phi, which is 60 degrees: so it turns by 2 phi at most, and

    |H| T <= 4 (J + K) phi                                         the budget of a flight of T s.

The mass centre is ahead of P by l (2 cos(theta2/2) cos psi + sin(theta2/2) sin psi), which is at
most l sqrt(1 + 3 sin^2 phi). P is nowhere ahead of X_start when it takes off, and d is counted at
most from where it lands, so that

    d <= 2 l sqrt(1 + 3 sin^2 phi) + |v_x| T,   T <= 4 (J + K) phi/|H|

with the velocity v_x of the mass centre along the ground. No more is assumed; how the machine comes
by v_x and H, and whether it can stand its landing, is not asked for, so no jump needs to reach it.

A push from the ground gives angular momentum: of a point that stands, with L_P the one about it,

    H = L_P/4 + m l^2 theta2'/2,   L_P' = -2 m g (x_CG - x_P)

Opening the knee (theta2' > 0) gives H > 0; falling forward first makes L_P negative and takes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.hybrid.component_first import Number
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.points import (
    STEEPEST_LINE,
)

_LINES = np.radians(np.arange(40.0, 90.1, 5.0))


def angular_momentum_budget(machine: Hopper, turn: Number) -> Number:
    """Largest |H| T with which the line PR turns by no more than an angle [rad]; [kg m^2]."""
    return 2.0 * (machine.turning + machine.coupling) * turn


def lead_bound(machine: Hopper, steepest: Number = STEEPEST_LINE) -> Number:
    """Largest distance of the mass centre ahead of P while PR leans by an angle at most [m]."""
    return machine.parameters.l * np.sqrt(1.0 + 3.0 * np.sin(steepest) ** 2)


def distance_bound(
    machine: Hopper, speed: Number, angular_momentum: Number, steepest: Number = STEEPEST_LINE
) -> Number:
    """Bound of d [m] of a flight with a speed along the ground [m/s] and H [kg m^2/s]."""
    with np.errstate(divide="ignore"):
        time = angular_momentum_budget(machine, 2.0 * steepest) / np.abs(angular_momentum)
    return 2.0 * lead_bound(machine, steepest) + np.abs(speed) * time


@dataclass(frozen=True)
class Flight:
    """A flight in numbers.

    angular_momentum [kg m^2/s]; speed, rising: velocity of the mass centre along the ground, and up
    at take-off [m/s]; duration [s]; psi [rad] and lead, how far the mass centre is ahead of
    P [m], at take-off and landing; distance: d of the jump [m].
    """

    angular_momentum: float
    speed: float
    rising: float
    duration: float
    psi: tuple[float, float]
    lead: tuple[float, float]
    distance: float

    def budget_share(self, machine: Hopper) -> float:
        """Share of the budget that the flight takes; 1 would be the longest of its H."""
        return (
            abs(self.angular_momentum)
            * self.duration
            / float(angular_momentum_budget(machine, 2.0 * STEEPEST_LINE))
        )

    def bound(self, machine: Hopper, steepest: float = STEEPEST_LINE) -> float:
        """Bound of d for its speed and angular momentum [m]."""
        return float(distance_bound(machine, self.speed, self.angular_momentum, steepest))


def angular_momentum_arrays(machine: Hopper, flights: Mapping[str, Flight]) -> xr.Dataset:
    """Flights of jumps by name, and the bounds that hold for them.

    spin_bound(line, jump): bound of d [m] if the line PR might lean by `line` [rad];
    spin_curve(spin, jump): bound of d for other spins at the jump's speed; spin_share: of the
    budget.
    """
    names = list(flights)
    most = max((abs(flight.angular_momentum) for flight in flights.values()), default=0.05)
    momenta = np.linspace(0.25, 2.0, 71) * most
    found = [flights[name] for name in names]
    single: dict[str, tuple[list[float], str, str]] = {
        "flight_spin": ([f.angular_momentum for f in found], "kg m^2/s", "spin in flight"),
        "flight_speed": ([f.speed for f in found], "m/s", "speed along the ground in flight"),
        "flight_duration": ([f.duration for f in found], "s", "duration of the flight"),
        "psi_take_off": ([f.psi[0] for f in found], "rad", "angle of the line PR at take-off"),
        "psi_landing": ([f.psi[1] for f in found], "rad", "angle of the line PR at landing"),
        "lead_take_off": ([f.lead[0] for f in found], "m", "mass centre ahead of P at take-off"),
        "lead_landing": ([f.lead[1] for f in found], "m", "mass centre ahead of P at landing"),
        "share": ([f.budget_share(machine) for f in found], "1", "share of the spin budget"),
        "distance": ([f.distance for f in found], "m", "jump distance d"),
    }
    data: dict[str, tuple[tuple[str, ...], object, dict[str, str]]] = {
        f"spin_{name}": (("jump",), values, {"units": units, "long_name": words})
        for name, (values, units, words) in single.items()
    }
    bound = {"units": "m", "long_name": "bound of d by spin"}
    by_line = [[flight.bound(machine, float(line)) for flight in found] for line in _LINES]
    by_momentum = [[float(distance_bound(machine, f.speed, h)) for f in found] for h in momenta]
    data["spin_bound"] = (("line", "jump"), by_line, bound)
    data["spin_curve"] = (("spin", "jump"), by_momentum, bound)
    coordinates = {
        "jump": ("jump", names),
        "line": ("line", _LINES, {"units": "rad", "long_name": "bound of the lean of PR"}),
        "spin": ("spin", momenta, {"units": "kg m^2/s", "long_name": "spin in flight"}),
    }
    return xr.Dataset(data, coordinates)
