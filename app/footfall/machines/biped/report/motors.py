"""Report of the biped's motors: rotors beside links, and the walk beside that without motors."""

from collections.abc import Mapping

import numpy as np

from footfall.arrays import Array
from footfall.machines.biped.closed_form.model import Biped
from footfall.machines.biped.measures import METRICS
from footfall.machines.biped.model import JOINTS
from footfall.metrics import Metric, scalar
from footfall.plants.coordinates import actuator_names, actuators_of
from footfall.plants.motors import gear_ratios
from footfall.registry.closed_form import is_motored
from footfall.report.section import RunLike, Section, finite_rows
from footfall.report.tables import Table, number
from footfall.trajectory import Status

_CHANGED = (
    "x_final",
    "foot_slip",
    "swing_clearance",
    "contact_loss",
    "joint_torque",
    "tracking_error",
)
"""Metrics that are held against a run without motors."""
_DIGITS = 4
_ROTORS = (
    "Each joint also turns the rotor of its motor, which it feels as an inertia J n² on the "
    "diagonal of M; H has no term of it. The law of inverse dynamics knows it and asks for the "
    "torque that the rotor takes; no law helps at a landing, where a foot meets the rotors as well "
    "as the links. Those of the thighs turn n times as fast as theta1 and theta3, which are "
    "absolute angles: like the moment tau1 + tau3, their momentum comes from outside."
)
_NOT_SAVED = (
    "This run was saved without the same walk without motors, which is left out here: run the "
    "scenario again to see what the rotors change."
)


def is_geared(section: Section) -> bool:
    """Return whether the machine has motors."""
    return is_motored(section.robot.model)


def motor_notes(section: Section) -> list[str]:
    """Notes on the rotors, and the largest torque at one; nothing without them."""
    if not is_geared(section):
        return []
    largest = scalar(section.first.metrics, "rotor_torque")
    most = f" In this run a rotor has at most {number(largest, 3)} N m." if largest > 0.0 else ""
    found = [_ROTORS + most]
    done = section.first.trajectory.status is Status.DONE
    if section.scenario.motors and done and not _baseline(section.first):
        found.append(_NOT_SAVED)
    return found


def motor_tables(section: Section) -> list[Table]:
    """Rotors beside links, and the walk beside that without motors; nothing without them."""
    if not is_geared(section):
        return []
    return [_rotors(section), *_changes(section)]


def _rotors(section: Section) -> Table:
    """Inertias of rotors and links as the joints feel them, and the torques at both."""
    plant = section.robot.plant
    motors = zip(actuator_names(plant), actuators_of(plant), gear_ratios(plant), strict=True)
    torque = abs(section.first.trajectory.data["actuation"])
    links = _link_inertias(section)
    rows = []
    for name, actuator, ratio in motors:
        link = links[actuator.joint().name()]
        inertia = actuator.default_rotor_inertia()
        best = np.sqrt(link.max() / inertia) if inertia > 0.0 else np.nan
        largest = float(torque.sel(actuator=name).max())
        felt = inertia * ratio**2
        row = (number(ratio), number(felt, 3), _span(link), _span(100.0 * felt / link))
        rows.append((name, *row, *(number(x, 3) for x in (best, largest, largest / ratio))))
    headings = (
        "motor",
        "n",
        "J n² [kg m²]",
        "links J_l [kg m²]",
        "J n² of J_l [%]",
        "sqrt(J_l / J)",
        "largest torque at the joint [N m]",
        "at the rotor [N m]",
    )
    note = (
        "J_l is the joint's entry on the diagonal of M without rotors, from its least to its "
        "largest in this run. A gear of n = sqrt(J_l / J), here of the largest J_l, accelerates "
        "the links most for a given torque of the rotor (part I.ii of the document)."
    )
    return Table("Rotors and links", headings, rows, note)


def _link_inertias(section: Section) -> dict[str, Array]:
    """Entries of M without rotors that belong to the joints, over the first run [kg m^2]."""
    machine = Biped()
    rows = finite_rows(section.first)
    positions = section.first.trajectory.data["q"].to_numpy()[rows]
    mass = np.array([machine.mass_matrix(q) for q in positions])
    return {joint: mass[:, 2 + k, 2 + k] for k, joint in enumerate(JOINTS)}


def _span(values: Array) -> str:
    """The least and the largest of some values, or the one that they all are."""
    least, most = number(float(values.min()), 3), number(float(values.max()), 3)
    return least if least == most else f"{least} to {most}"


def _changes(section: Section) -> list[Table]:
    """The first run beside the same one without motors, where it was made with such a one."""
    name, run = next(iter(section.runs.items()))
    bare = _baseline(run)
    if not bare:
        return []
    rows = [_change(metric, run.metrics, bare) for metric in _CHANGED if metric in run.metrics]
    headings = ("", "unit", name, f"{name}, without motors")
    note = "The same scenario, simulated without its motors; the law does not know them then."
    return [Table("What the rotors change", headings, rows, note)]


def _baseline(run: RunLike) -> dict[str, Metric]:
    """Metrics of the same run without motors; none in old runs and in those that failed."""
    data = run.trajectory.data
    if "baseline" not in data:
        return {}
    names = data["baseline_metric"].to_numpy().tolist()
    return dict(zip(names, data["baseline"].to_numpy().tolist(), strict=True))


def _change(
    metric: str, geared: Mapping[str, Metric], bare: Mapping[str, Metric]
) -> tuple[str, ...]:
    unit, meaning = METRICS[metric]
    both = (number(scalar(metrics, metric), _DIGITS) for metrics in (geared, bare))
    return (meaning, unit, *both)
