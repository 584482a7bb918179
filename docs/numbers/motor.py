"""Numbers of docs/machines/motor.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import xarray as xr
from computed import analysed, context, metric
from passage import Passage

from footfall.machines.motor.model import motor_of
from footfall.textbook.convergence import observed_order
from footfall.textbook.motor import GearedMotor, best_ratio
from footfall.textbook.motor_response import SpeedResponse, best_ratio_to_turn
from footfall.verify.cases import CASES
from footfall.verify.runner import CaseResult, run_case

TORQUE = 0.398  # N m of the rotor: 10 A
TURN = math.radians(45.0)
RATIO, SPEED = "motors.motor.gear_ratio", "initial.velocities.load"


@functools.cache
def _case(name: str) -> CaseResult:
    (case,) = (case for case in CASES if case.name == name)
    found = run_case(case, ["drake-sap"])
    if found is None:
        raise KeyboardInterrupt
    return found


def _errors(name: str, engine: str) -> Sequence[float]:
    """Largest errors of speed and angle of a shipped run."""
    return [metric(f"motor/{name}", engine, one) for one in ("speed_error", "angle_error")]


def _orders(name: str, engine: str) -> Sequence[float]:
    """Observed orders of speed and angle over the steps of a case."""
    found = _case(name)
    return [
        observed_order(found.case.steps, outcome.errors(engine).tolist())
        for outcome in found.outcomes[:2]
    ]


def _row(name: str, case: str) -> Callable[[], Sequence[float]]:
    """Errors and orders of both quantities in Moreau's engine, then in Drake's."""
    return lambda: [
        number
        for engine in ("moreau", "drake-sap")
        for number in (*_errors(name, engine), *_orders(case, engine))
    ]


@functools.cache
def _motor() -> GearedMotor:
    one = context("motor/dc_line")
    return motor_of(one.model, one.contacts)


def _line() -> Sequence[float]:
    """Time constant on the line [ms], and what a step of 0.1 ms costs of the speed [%]."""
    motor = _motor()
    constant = motor.inertia / (motor.n**2 * (motor.B + motor.slope))
    share = _errors("dc_line", "moreau")[0] / motor.steady_speed(1.5)
    return [1e3 * constant, 100.0 * share]


def _swept(name: str) -> xr.Dataset:
    return analysed(f"motor/{name}").data.sel(engine="drake-continuous")


def _accelerations(*speeds: float) -> Callable[[], Sequence[float]]:
    """Best ratios at speeds, as searched and in closed form, and the accelerations there."""

    def values() -> Sequence[float]:
        data, best = _swept("ratio_sweep"), f"best_{RATIO}_of_start_acceleration"
        most = f"best_start_acceleration_over_{RATIO}"
        searched, reached = (
            [float(data[name].sel({SPEED: v})) for v in speeds] for name in (best, most)
        )
        return [*searched, *(best_ratio(_motor(), TORQUE, v) for v in speeds), *reached]

    return values


def _turn(variant: str) -> Callable[[], Sequence[float]]:
    """Best ratio of a turn, as searched and in closed form, and the time that it takes [ms]."""

    def values() -> Sequence[float]:
        data = _swept("turn_sweep").sel(variant=variant)
        motor = _motor()
        if "without" in variant:
            motor = replace(motor, B=0.0, stall=math.inf, no_load=math.inf)
        return [
            float(data[f"best_{RATIO}_of_time_to_45_deg"]),
            best_ratio_to_turn(motor, TORQUE, TURN),
            1e3 * float(data[f"best_time_to_45_deg_over_{RATIO}"]),
        ]

    return values


def _own() -> Sequence[float]:
    """Best whole ratio of the turn, TUlip's, and the time that a turn takes with it [ms]."""
    motor = _motor()
    time = SpeedResponse(motor, TORQUE).time_to(TURN)
    return [best_ratio_to_turn(motor, TORQUE, TURN), motor.n, 1e3 * time]


_ROW = "| {:.1e} rad/s, {:.1e} rad | {:.2f}, {:.2f} " * 2 + "|"

PASSAGES = (
    Passage(f"| `step`: speed, angle at 1 ms {_ROW}", _row("step", "motor_step"), slow=True),
    Passage(
        "| {:.0e}, {:.0e} | | `step_frictionless`",
        lambda: _errors("step", "drake-continuous"),
        slow=True,
        bound=True,
    ),
    Passage(
        "| `step_frictionless`: speed, angle at 1 ms | {:.0e}, {:.0e} | exact |",
        lambda: _errors("step_frictionless", "moreau"),
        slow=True,
        bound=True,
    ),
    Passage(
        "| exact | {:.0e} rad/s,",
        lambda: _errors("step_frictionless", "drake-sap")[:1],
        slow=True,
        bound=True,
    ),
    Passage(
        "rad/s, {:.1e} rad | exact, {:.2f} |",
        lambda: [
            _errors("step_frictionless", "drake-sap")[1],
            _orders("motor_frictionless", "drake-sap")[1],
        ],
        slow=True,
    ),
    Passage(
        "| {:.0e}, {:.0e} | | `dc_line`",
        lambda: _errors("step_frictionless", "drake-continuous"),
        slow=True,
        bound=True,
    ),
    Passage(
        f"| `dc_line`: speed, angle at 0.1 ms {_ROW}", _row("dc_line", "motor_line"), slow=True
    ),
    Passage(
        "| {:.0e}, {:.0e} | - Friction",
        lambda: _errors("dc_line", "drake-continuous"),
        slow=True,
        bound=True,
    ),
    Passage(
        "With the {:.1f} ms of this motor on its line, 0.1 ms cost {:.2f} % of the speed", _line
    ),
    Passage(
        "| acceleration from rest | {:.1f} | sqrt(J_l/J_m) = {:.4f} | {:.1f} rad/s² |",
        _accelerations(0.0),
        minutes=True,
    ),
    Passage(
        "| acceleration at 2, 4 rad/s | {:.1f}, {:.1f} | {:.3f}, {:.3f} | {:.1f}, {:.1f} rad/s² |",
        _accelerations(2.0, 4.0),
        minutes=True,
    ),
    Passage(
        "| acceleration at 8 rad/s | {:.1f} | {:.2f}: where the line gives 0.398 N m no more "
        "| {:.1f} rad/s² |",
        _accelerations(8.0),
        minutes=True,
    ),
    Passage(
        "| time to turn by 45 degrees from rest | {:.3f} | {:.3f} | {:.1f} ms |",
        _turn("as it is"),
        minutes=True,
    ),
    Passage(
        "| the same without line and friction | {:.1f} | sqrt(J_l/J_m) | {:.1f} ms |",
        lambda: _turn("without line and friction")()[::2],
        minutes=True,
    ),
    Passage("does best with {:.0f}; TUlip's {:.0f} needs {:.0f} ms", _own),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "of the motor, urdf/motor/README.md": (
        "the line of 36 V",
        "With 0.398 N m of the rotor",
        "gives 0.398 N m no more",
    ),
    "chosen": (
        "from 8 to 1 ms (`dc_line`: 0.8 to 0.1 ms)",
        "angle at 1 ms",
        "angle at 0.1 ms",
        "here to 1e-10",
        "to 1e-4 of the ratio",
        "by 45 degrees",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
