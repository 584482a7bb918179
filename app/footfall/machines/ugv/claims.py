"""Claims of the document on the vehicle on its soft bump, held against runs and analyses.

Its figures 24 and 25 are lost and print no number: what is left are statements of structure. They
are predicted at best, since the radius of the wheels, the places of the centres of mass and the
meaning of the angles are assumed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np

from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Bump, Track
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import parameters_of, rows_of, wheel_centres
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, stated
from footfall.registry.context import MachineContext

SOURCE = "Corral et al. 2016, section 8"
STATIC, VARIED = f"{SOURCE}, figure 24", f"{SOURCE}, figure 25"
ASSUMED = (
    "the figure is lost; the radius of the wheels, the middles as centres of mass, the meaning of "
    "the angles and that the masses are those of half a vehicle are assumed"
)
"""To be said with every claim about the vehicle."""

_TOP = 4.0  # m: of the soft bump
_SAME = 1e-9
_SAME_TRACK = 1e-4  # m: boxes end where a bump is lower than a hundredth of a millimetre
_SLID = 0.01  # of the way: a pressed wheel that creeps so little does not slip
_SLOW = 0.25  # m/s: ours, kinetic energy is then less than 4 % of what the bump takes
_NEAR = 0.1  # of the peak: ours
_ITSELF = 1e-9  # of the peak: the engine that is the quasi-static balance


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The document's statements that a run with static angles over the soft bump can tell of."""
    parameters = parameters_of(context.model, context.contacts)
    drive = context.controller
    if not isinstance(drive, WheelLegDrive):
        return []
    angles = {(at.rear, at.front) for at in drive.stations}
    if len(angles) != 1 or not is_documents(parameters, track_of(context.model)):
        return []
    named = "{:g} and {:g} degrees".format(*angles.pop())
    q = context.initial_state[: context.model.plant.num_positions()][rows_of(context.model)]
    rear, front = (float(wheel.real) for wheel in wheel_centres(parameters, q))
    made = []
    # at its full speed the rear wheel would come over the top in time
    if rear + abs(drive.speed) * context.duration > _TOP:
        passes = stated(
            f"at static angles of {named} it passes the soft bump and does not slip (1)",
            "1",
            float(_passes(rear, front, metrics)),
            1.0,
            source=STATIC,
            reason=f"both wheels come over the top, stay on the ground and hardly slide; {ASSUMED}",
            about_end=True,  # the balance ends where a wheel slips or lifts
        )
        made.append(passes)
    error = scalar(metrics, "torque_error")
    # the quasi-static balance itself is not judged by itself
    if abs(drive.speed) <= _SLOW and error > _ITSELF:
        made.append(
            stated(
                "a slow passage takes the quasi-static torque (distance over its peak)",
                "1",
                error,
                _NEAR,
                "at most",
                source=STATIC,
                reason=(
                    "what is slow and near is not said: up to 0.25 m/s and a tenth are ours; "
                    f"{ASSUMED}"
                ),
            )
        )
    return made


def is_published(parameters: UgvParameters) -> bool:
    """Return True where lengths and masses are the document's, and the rest is as assumed."""
    own = UgvParameters()
    return all(
        math.isclose(getattr(parameters, each.name), getattr(own, each.name), rel_tol=_SAME)
        for each in fields(own)
    )


def is_documents(parameters: UgvParameters, track: Track) -> bool:
    """Return whether vehicle and track are the document's, as near as boxes tell them."""
    x = np.linspace(_TOP - 3.0, _TOP + 3.0, 601)
    off = np.abs(track.profile(x).height - Bump().track().profile(x).height)
    return is_published(parameters) and bool(off.max() < _SAME_TRACK)


def _passes(rear: float, front: float, metrics: Mapping[str, Metric]) -> bool:
    """Return whether both wheels, at these places at the start [m], come over the top.

    Without a slide or a lift.
    """
    distance = scalar(metrics, "front_way")
    over = front < _TOP < rear + distance
    slid = scalar(metrics, "wheel_slip") <= _SLID * abs(distance)
    return over and slid and scalar(metrics, "lift_time") == 0.0
