"""A gait of the biped as settings of a scenario: controller and start, leg A standing."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.biped.closed_form.pinned import HIP
from footfall.machines.biped.gait.constrained import ConstrainedWalk

_DIGITS = 7
_LEGS = (("foot_a", "theta1", "theta2"), ("foot_b", "theta3", "theta4"))
_TORQUES = "[{tau2: 1.0}, {tau1: -1.0, tau3: 1.0}, {tau4: 1.0}]"


def settings_of(walk: ConstrainedWalk) -> list[str]:
    """Settings that let the biped walk so: its virtual constraints, and where it starts."""
    law = (
        f"!VirtualConstraints {{feet: [{_foot(0)}, {_foot(1)}], torques: {_TORQUES}, "
        f"phases: {_numbers(walk.phases)}, values: {_rows(walk.values)}, "
        f"slopes: {_rows(walk.slopes)}, kp: {walk.kp:g}, kd: {walk.kd:g}}}"
    )
    positions, velocities = starting(walk)
    return [
        f"controller={law}",
        f"initial.positions={_mapping(positions)}",
        f"initial.velocities={_mapping(velocities)}",
        "initial.drop_along=z",
    ]


def starting(walk: ConstrainedWalk) -> tuple[dict[str, float], dict[str, float]]:
    """Positions and velocities by coordinate where a step of leg A begins, its foot at rest."""
    step = walk.step
    a, w = step.angles[:, 0], step.rates[:, 0]
    along, out = (float(v) for v in walk.machine.velocity(HIP, a, w))
    return _joints(a), {"x": along, "z": out} | _joints(w)


def _joints(a: Array) -> dict[str, float]:
    """Angles of the joints, or their rates, from the absolute ones."""
    return {
        "theta1": float(a[1]),
        "theta2": float(a[0] - a[1]),
        "theta3": float(a[2]),
        "theta4": float(a[3] - a[2]),
    }


def _foot(leg: int) -> str:
    """Standing foot with its phase and outputs: its knee, the hip, the other knee."""
    (foot, thigh, knee), (_, other_thigh, other_knee) = _LEGS[leg], _LEGS[1 - leg]
    return (
        f"{{foot: 'biped::{foot}', phase: {{{thigh}: 1.0, {knee}: 0.5}}, outputs: "
        f"[{{{knee}: 1.0}}, {{{thigh}: -1.0, {other_thigh}: 1.0}}, {{{other_knee}: 1.0}}]}}"
    )


def _mapping(values: Mapping[str, float]) -> str:
    return "{" + ", ".join(f"{name}: {_number(value)}" for name, value in values.items()) + "}"


def _rows(values: Array) -> str:
    return "[" + ", ".join(_numbers(row) for row in values) + "]"


def _numbers(values: Array) -> str:
    return "[" + ", ".join(_number(value) for value in values) + "]"


def _number(value: Any) -> str:  # noqa: ANN401 (numpy's numbers, too)
    return repr(round(float(np.real(value)), _DIGITS))
