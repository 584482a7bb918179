"""Numbers of docs/machines/humanoid.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import xarray as xr
from computed import context, metric, ran
from passage import Passage
from printed_path import PROGRESS, integrated

from footfall.machines.humanoid.audit import Audit, audit

_OPC = "humanoid/opc"
_SUPPORTS = ("double", "single")
_WALKS = ("opc", "computed_torque", "opc_smooth", "elastic", "sway")


def _walked(name: str, *quantities: str, scale: float = 1.0) -> Callable[[], Sequence[float]]:
    """Metrics of a walk on the equations of the thesis."""
    return lambda: [
        scale * metric(f"humanoid/{name}", "closed-form", quantity) for quantity in quantities
    ]


def _of_all(*quantities: str, scale: float = 1.0) -> Callable[[], Sequence[float]]:
    """The same of all walks of the table."""
    return lambda: [
        number for name in _WALKS for number in _walked(name, *quantities, scale=scale)()
    ]


def _degrees(name: str, quantity: str) -> Callable[[], Sequence[float]]:
    return _walked(name, quantity, scale=180.0 / math.pi)


def _cycles() -> Sequence[float]:
    """Gait cycles in 20 s of the printed speeds, and in 60 s of equal ones."""
    return [metric(f"humanoid/{name}", "closed-form", "cycles") for name in ("opc", "opc_smooth")]


# --- what ground would have to give -------------------------------------------------------------


@functools.cache
def _audit() -> Audit:
    return audit(ran(_OPC, "closed-form").trajectory, context(_OPC))


def _single() -> npt.NDArray[np.intp]:
    """Rows of single support."""
    phase = ran(_OPC, "closed-form").data["gait_phase"].to_numpy()
    return np.flatnonzero(phase % 2 == 1)


def _beside() -> Sequence[float]:
    """Median of the centre of pressure beside the sole's middle, and the sole's width [mm]."""
    found, rows = _audit(), _single()
    return [
        1e3 * float(np.median(np.abs(found.pressure[rows, 0, 1]))),
        2e3 * found.half_width,
    ]


def _moments() -> Sequence[float]:
    """Least and largest moment of the weld about the sole's middle [N m]."""
    found, rows = _audit(), _single()
    moment = np.abs(found.force[rows, 0, 2] * found.pressure[rows, 0, 1])
    return [float(moment.min()), float(moment.max())]


def _slips() -> Sequence[float]:
    """Friction of the model, and the share of time in which the flat foot needs more [%]."""
    found = _audit()
    return [found.mu, 100.0 * float(found.slips[:, 0].mean())]


# --- engines ------------------------------------------------------------------------------------


def _apart() -> Sequence[float]:
    """Largest distances of the engines: trunk [mm], joints [mrad]; changes of phase."""
    one, other = (ran(_OPC, engine).data for engine in ("closed-form", "hybrid"))
    away = np.abs((one["q"] - other["q"]).to_numpy())
    names = [str(name) for name in one["position"].to_numpy()]
    trunk = [k for k, name in enumerate(names) if name.endswith(("_x", "_y", "_z"))]
    joints = [k for k, name in enumerate(names) if not name.startswith("trunk_")]
    return [
        1e3 * float(away[:, trunk].max()),
        1e3 * float(away[:, joints].max()),
        float(_changes(one, other)),
    ]


def _changes(one: xr.Dataset, other: xr.Dataset) -> int:
    """Count of the changes of phase; raises ValueError unless they come at the same times."""
    times = [data["change_time"].to_numpy() for data in (one, other)]
    if len(times[0]) != len(times[1]) or np.abs(times[0] - times[1]).max() > 1e-9:
        raise ValueError("changes of phase come at other times")
    return len(times[0])


def _gained() -> Sequence[float]:
    """Energy that Euler's steps gain in 5 s [J]."""
    settings = [("duration=5", f"time_step={dt}") for dt in (1e-2, 5e-3, 2.5e-3)]
    return [metric(_OPC, "closed-form", "energy_drift", *one) for one in settings]


def _gained_by_runge_kutta() -> Sequence[float]:
    """The same of an integrator with an accuracy [mJ]."""
    settings = ("simulator.integration_scheme=runge_kutta3", "simulator.accuracy=1e-6")
    return [1e3 * metric(_OPC, "closed-form", "energy_drift", "duration=5", *settings)]


def _printed() -> Sequence[float]:
    """Largest height of the heel by the integral of (4.5) [m]."""
    return [float(integrated("z", np.linspace(0.0, PROGRESS, 1001)).max())]


PASSAGES = (
    Passage("(4.5) the heel rises to {:.2f} m", _printed),
    Passage("Its tip is {:.0f} mm in the ground", _walked("opc", "min_gap", scale=-1e3), slow=True),
    Passage(
        "that is so in {:.0f} % of the double supports",
        _walked("opc", "rank_deficient", scale=100.0),
        slow=True,
    ),
    Passage(
        "printed speeds two cycles take {:.2f} s", _walked("opc", "two_cycles_time"), slow=True
    ),
    Passage("| {:.0f} in 20 s; {:.0f} in 60 s", _cycles, slow=True),
    Passage("| they take 1.77 s | {:.2f} s |", _walked("opc", "two_cycles_time"), slow=True),
    Passage("heel travel {:.3f} m", _walked("opc", "heel_travel"), slow=True),
    Passage("| {:.1f} cm | fitted", _walked("opc", "lift", scale=100.0), slow=True),
    Passage(
        "| {:.2f} and {:.2f} m/s in the mean |",
        _walked("opc", "speed_double", "speed_single"),
        slow=True,
    ),
    Passage("{:.1f} mm to either side |", _walked("opc", "sway_G1", scale=1e3), slow=True),
    Passage("still has {:.2f} m/s |", _walked("opc", "landing_speed"), slow=True),
    Passage("the ankle by {:.0f} degrees", _degrees("opc", "touch_down_angle"), slow=True),
    Passage(
        "| {:.0f} and {:.0f} N m at most, {:.0f} and {:.0f} N m rms |",
        _walked(
            "opc",
            *(f"{kind}_torque_{support}" for kind in ("peak", "rms") for support in _SUPPORTS),
        ),
        slow=True,
    ),
    Passage(
        "| {:.0f} % on the toe behind |", _walked("opc", "load_behind", scale=100.0), slow=True
    ),
    Passage(
        "| {:.0f} N m in the first cycle, {:.0f} N m in the second |",
        _walked("opc", "first_cycle_torque", "second_cycle_torque"),
        slow=True,
    ),
    Passage(
        "| largest error of O1, G1, heel [mm] " + "| {:.1f}, {:.1f}, {:.1f} " * 5 + "|",
        _of_all("error_O1", "error_G1", "error_heel", scale=1e3),
        slow=True,
    ),
    Passage(
        "| largest torque, single and double support [N m] " + "| {:.0f}, {:.0f} " * 5 + "|",
        _of_all("peak_torque_single", "peak_torque_double"),
        slow=True,
    ),
    Passage(
        "| rms torque, single and double support [N m] " + "| {:.1f}, {:.1f} " * 5 + "|",
        _of_all("rms_torque_single", "rms_torque_double"),
        slow=True,
    ),
    Passage(
        "| largest power of a joint [W] " + "| {:.0f} " * 5 + "|", _of_all("peak_power"), slow=True
    ),
    Passage(
        "ground could give it " + "| {:.0f} " * 4 + "| {:.0f} % |",
        _of_all("feasible", scale=100.0),
        slow=True,
    ),
    Passage(
        "stays within {:.2f} mm (place of the trunk) and {:.2f} mrad (joints) of `closed-form`; "
        "all {:.0f} changes",
        _apart,
        minutes=True,
    ),
    Passage("gain {:.0f}, {:.0f} and {:.1f} J in 5 s", _gained, slow=True),
    Passage("at an accuracy of 1e-6 it is {:.0f} mJ", _gained_by_runge_kutta, minutes=True),
    Passage(
        "would have to be {:.0f} mm beside the middle of a sole that is {:.0f} mm wide",
        _beside,
        slow=True,
    ),
    Passage("with a moment of {:.0f} to {:.0f} N m", _moments, slow=True),
    Passage("than the {:.2f} of the model for {:.1f} % of the time", _slips, slow=True),
    Passage(
        "it would pull with {:.0f} N",
        _walked("opc", "least_pressure", scale=-1.0),
        slow=True,
    ),
    Passage(
        "(`controller.sway`), {:.0f} mm to either side",
        _walked("sway", "sway_G1", scale=1e3),
        slow=True,
    ),
    Passage("angles jump by {:.1f} degrees", _degrees("sway", "touch_down_angle"), slow=True),
    Passage("touch-down instead of {:.0f}.", _degrees("opc", "touch_down_angle"), slow=True),
    Passage("held down by up to {:.1f} N m", _walked("sway", "toe_hold"), slow=True),
    Passage("moves by {:.1f} mm", _walked("sway", "toe_gap", scale=1e3), slow=True),
    Passage("and turns by {:.1f} degrees", _degrees("sway", "toe_tilt"), slow=True),
    Passage(
        "Its largest torque is {:.0f} N m, its largest power {:.0f} W",
        _walked("sway", "largest_joint_torque", "peak_power"),
        slow=True,
    ),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the thesis, its equations, figures and tables": (
        "56 kg, 1.60 m",
        "(figure 4.2)",
        "(figures 4.10, 4.13)",
        "(3.5)",
        "(3.153) and (3.156)",
        "(3.154) to (3.156)",
        "less than the 35.45 mm",
        "(3.136)",
        "(3.135)",
        "(3.63) to (3.116)",
        "(4.1)",
        "(4.2)",
        "(4.5)",
        "| they take 1.77 s |",
        "printed 0.05 and 0.02 s",
        "toe-off height of 35.45 mm, 0.2 m ahead of the trunk, 6 cm up",
        "a step of 0.4 m",
        "rises to 6 cm",
        "0.6 m/s in double, 0.2 m/s in single support",
        "12.67 s of computing for 1.77 s",
        "jumps from 0.6 to 0.2 m/s",
        "O1 is 20 mm behind",
        "more than 1 mm up",
        "is 1 mm above",
        "more than 20 mm ahead",
    ),
    "bounds of tests/machines/humanoid/test_dynamics_agree.py": ("to 1e-10 of their size",),
    "urdf/humanoid/README.md": ("soles 88 mm wide",),
    "chosen": (
        "O1 is 50 mm too far ahead",
        "singular value of 0.01",
        "s = 0.001 in double and 0.0001 in single support",
        "`humanoid/opc`, `closed-form`, 20 s",
        "16 in 20 s; 43 in 60 s at 0.3 m/s",
        "soft is up to 0.1 m/s",
        "Over 20 s of `humanoid/opc`",
        "steps of 10, 5 and 2.5 ms",
        "at an accuracy of 1e-6",
        "the horizon is 0.03 s",
        "over 20 s. What that needs",
        "12 mm inside of the soles",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
