"""The published jump in the steps of the authors' program, which make it 0.04 mm shorter.

While P slides, the program integrates by MATLAB's ode45, with tolerances of 1e-6: the pair of
Dormand and Prince, the step controlled as Shampine and Reichelt describe. The direction of sliding,
sigma = sign(x'), is set in the program's event function alone (events_slip.m), and an integrator
asks for events where a step begins or ends. So the first step of a slide from rest has sigma = 0,
no friction, and the first stage of a step, which is the last one of the step before, has the sigma
of that. The control keeps the estimate of the error that this makes within the tolerances, but that
estimate weighs a first stage 74 times less than the step itself does.

Source: L. F. Shampine, M. W. Reichelt: The MATLAB ODE suite. SIAM J. Sci. Comput. 18 (1997) 1-22;
ground_simulation.m, events_slip.m and sys_slip.m of the program, see `hopper.published`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.integrate import RK45, solve_ivp

from footfall.arrays import Array
from footfall.machines.hopper.authors import landing_machine
from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters, Q
from footfall.machines.hopper.closed_form.phases import SIGMA, JumpPhase, derivative, force
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.published import START, TORQUE
from footfall.machines.hopper.reference import jump

_TOLERANCE = 1e-6  # RelTol and AbsTol of sys_slip in ground_simulation.m
_END, _FIRST = 3.0, 5e-4  # s: t_f and dt of animation.m
_LEAST_FORCE = -0.01  # N: events_slip.m lets P take off below it
_FINE = 1e-12  # of what the program integrates finely
_WAYS = {sigma: phase for phase, sigma in SIGMA.items()}
_DENSE = np.array(  # ode45's polynomial within a step, of degree 4
    [
        [1, -183 / 64, 37 / 12, -145 / 128],
        [0, 0, 0, 0],
        [0, 1500 / 371, -1000 / 159, 1000 / 371],
        [0, -125 / 32, 125 / 12, -375 / 64],
        [0, 9477 / 3392, -729 / 106, 25515 / 6784],
        [0, -11 / 7, 11 / 3, -55 / 28],
        [0, 3 / 2, -4, 5 / 2],
    ]
)

_Guard = Callable[[float, Array], float]


def program_distance(
    parameters: HopperParameters,
    *,
    early_impact: bool = False,
    tolerance: float = _TOLERANCE,
    late: bool = True,
) -> float:
    """Distance of the published inputs [m], with the program's steps while P slides.

    early_impact: with commit 1c75c17's impact. tolerance: of the steps. late: sigma is that of the
    end of the step before; else the right one. The motion is that of the published jump: P slides
    backward from rest, takes off, lands and slides forward until Q lands.
    """
    machine, drive = Hopper(parameters), ProfileTorque(TORQUE)
    steps = _Steps(machine, drive, tolerance, late)
    slides = jump(machine, drive, START).run.segments[1]

    def pressed(t: float, x: Array) -> float:
        return steps.force(t, x, float(np.sign(x[4]))) - _LEAST_FORCE

    def above(_t: float, x: Array) -> float:
        return float(position(machine, x, Q)[1])

    t, x = _slide(steps, slides.start, slides.x_start[:8], 1.0, pressed)
    t, x = _flight(machine, drive, t, x)
    x = impact(landing_machine(parameters, early_impact=early_impact), x).x
    _, x = _slide(steps, t, x, -1.0, above)
    return float(min(x[0], position(machine, x, Q)[0]))


@dataclass(frozen=True, eq=False)
class _Steps:
    """Rates and normal force of a slide; sigma 0 is a slide without friction."""

    machine: Hopper
    drive: ProfileTorque
    tolerance: float
    late: bool

    def rates(self, t: float, x: Array, sigma: float) -> Array:
        machine, phase = self._sliding(sigma)
        found: Array = derivative(machine, phase, x, _torque(self.drive, t))
        return found

    def force(self, t: float, x: Array, sigma: float) -> float:
        machine, phase = self._sliding(sigma)
        return float(force(machine, phase, x, _torque(self.drive, t))[1])

    def _sliding(self, sigma: float) -> tuple[Hopper, JumpPhase]:
        if sigma == 0.0:
            return Hopper(replace(self.machine.parameters, mu=0.0)), JumpPhase.SLIP_FORWARD
        return self.machine, _WAYS[sigma]


def _torque(drive: ProfileTorque, t: float) -> float:
    return float(drive.torque(JumpPhase.FLIGHT, drive.profile.piece(t), t, START))


def _slide(steps: _Steps, t: float, x: Array, sigma: float, guard: _Guard) -> tuple[float, Array]:
    """Time [s] and state where the guard falls below 0; sigma: what it was before the slide."""
    tolerance, longest = steps.tolerance, 0.1 * (_END - t)
    way = float(np.sign(x[4])) if steps.late else -sigma
    k = np.zeros((8, 7))
    k[:, 0] = steps.rates(t, x, sigma if steps.late else way)
    fastest = np.max(np.abs(k[:, 0]) / np.maximum(np.abs(x), 1.0)) / (0.8 * tolerance**0.2)
    size = min(longest, _FIRST, 1.0 / fastest)
    while True:
        size, failed = min(longest, size), False
        while True:
            for stage in range(1, 6):
                at = x + size * (k[:, :stage] @ RK45.A[stage, :stage])
                k[:, stage] = steps.rates(t + size * RK45.C[stage], at, way)
            after = x + size * (k[:, :6] @ RK45.B)
            k[:, 6] = steps.rates(t + size, after, way)
            scale = np.maximum(np.maximum(np.abs(x), np.abs(after)), 1.0)
            error = size * float(np.max(np.abs(k @ RK45.E) / scale))
            if error <= tolerance:
                break
            size *= 0.5 if failed else max(0.1, 0.8 * (tolerance / error) ** 0.2)
            failed = True
        if guard(t + size, after) < 0.0:
            return _within(t, x, size, k, guard)
        t, x, taken = t + size, after, size
        if not failed:
            size = min(5.0 * taken, taken / (1.25 * (error / tolerance) ** 0.2))
        if steps.late:
            way = float(np.sign(x[4]))
        k[:, 0] = k[:, 6]


def _within(t: float, x: Array, size: float, k: Array, guard: _Guard) -> tuple[float, Array]:
    """Time and state within a step from which on the guard is negative, to rounding."""

    def at(share: float) -> Array:
        return x + size * (k @ (_DENSE @ share ** np.arange(1.0, 5.0)))

    low, high = 0.0, 1.0
    while size * (high - low) > 4.0 * np.spacing(t):
        middle = 0.5 * (low + high)
        if guard(t + middle * size, at(middle)) < 0.0:
            high = middle
        else:
            low = middle
    return t + high * size, at(high)


def _flight(machine: Hopper, drive: ProfileTorque, t: float, x: Array) -> tuple[float, Array]:
    """Time [s] and state as P lands, without errors of the size that slides have."""

    def rates(time: float, state: Array) -> Array:
        found: Array = derivative(machine, JumpPhase.FLIGHT, state, _torque(drive, time))
        return found

    def height(_time: float, state: Array) -> float:
        return float(state[1])

    height.terminal, height.direction = True, -1.0  # type: ignore[attr-defined]
    ends = [end for end in drive.breaks if end > t] + [_END]
    for begin, end in pairwise([t, *ends]):
        within = (begin, np.nextafter(end, begin))  # the torque is that before its break
        found = solve_ivp(rates, within, x, "DOP853", events=height, rtol=_FINE, atol=_FINE)
        x = found.y[:, -1]
        if found.status == 1:
            return float(found.t[-1]), x
    raise ValueError("P does not land")
