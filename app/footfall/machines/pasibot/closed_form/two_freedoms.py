"""PASIBOT whose supporting foot may slide, as a machine of two degrees of freedom.

With th the angle of the supporting leg's crank in the hip, I(th) the moment of inertia that the
motor feels and V(th) the potential energy, x1 the way of the supporting foot along the floor, and f
along it and N upwards the force that the floor gives,

    I th'' + I' th'^2 / 2 + V' + S x1'' = T8
    S th'' + S' th'^2 + M x1'' = f
    (V' th'' + V'' th'^2) / g + M g = N,

of which the second is the momentum along the floor, and the third knows no x1: the floor is level.
A foot that is held has x1'' = 0, one that slides f = -mu_k N in the direction of sliding. If the
torque is given, N depends on th'', and friction enters the matrix of th'' and x1'':

    [ I                 S ] [ th'' ]
    [ S + mu_k V' / g   M ] [ x1'' ]      for a foot that slides ahead, -mu_k backwards.

Where its determinant is not positive, no or several motions go on (Painleve): it is that of the
accelerations which the floor's forces give, A_nn - mu_k A_nt up to a positive factor.

Source: the document of `linkage`, sections 4 and 7, whose equations are lost; F. Genot, B.
Brogliato: New results on Painleve paradoxes, European Journal of Mechanics A/Solids 18 (1999).

`SlidingProfile` is the same as a trigonometric polynomial. Linkages that turn all the way round are
analytic and periodic in th8, so that interpolation at n equal angles converges faster than any
power of n: exact to rounding, and a thousand times faster. The Fourier series is smooth at its own
nodes and takes complex angles, by whose imaginary part derivatives are found.
"""

from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import (
    LINKS,
    PasibotParameters,
    bodies,
    total_mass,
)
from footfall.machines.pasibot.closed_form.motion import pose


class FootResponse(NamedTuple):
    """Response to a motion of the crank or a torque; numbers or arrays of one shape.

    acceleration th'' [rad/s^2]; sliding x1'' [m/s^2]; torque T8 [N m]; along f and up N [N], the
    force of the floor on the supporting foot.
    """

    acceleration: Any
    sliding: Any
    torque: Any
    along: Any
    up: Any


class TwoFreedoms(NamedTuple):
    """The machine at some th8: numbers or arrays of one shape, real or complex.

    mass M [kg]; g [m/s^2]; inertia I [kg m^2], potential V [J], 0 on the floor, gravity V' [N m]
    and sway S, the momentum along the floor per unit of th' [kg m], with their slopes by th8; spin:
    angular momentum about the place below the supporting ankle per unit of th' [kg m^2], and its
    slope; overhang: moment of the weight about it, clockwise [N m]. friction is the coefficient
    with the sign of the foot's velocity, None for a foot that is held.
    """

    mass: float
    g: float
    inertia: Any
    inertia_slope: Any
    potential: Any
    gravity: Any
    gravity_slope: Any
    sway: Any
    sway_slope: Any
    spin: Any
    spin_slope: Any
    overhang: Any

    # rates are squared by a product: numpy's power is slow, and hardly more for numbers

    def inverse(self, rate: Any, acceleration: Any, friction: float | None = None) -> FootResponse:  # noqa: ANN401 (numbers or arrays, real or complex)
        """Forces of a given motion of the crank: rate th' [rad/s], acceleration th'' [rad/s^2]."""
        square = rate * rate
        up = self._up(square, acceleration)
        swayed = self.sway * acceleration + self.sway_slope * square
        along = swayed if friction is None else -friction * up
        sliding = (along - swayed) / self.mass
        bias = 0.5 * self.inertia_slope * square + self.gravity
        torque = self.inertia * acceleration + bias + self.sway * sliding
        return FootResponse(acceleration, sliding, torque, along, up)

    def forward(self, rate: Any, torque: Any, friction: float | None = None) -> FootResponse:  # noqa: ANN401
        """Motion and forces under a given torque T8 [N m].

        Raises ValueError for a sliding foot where the determinant is not positive.
        """
        square = rate * rate
        push = torque - 0.5 * self.inertia_slope * square - self.gravity
        if friction is None:
            acceleration, sliding = push / self.inertia, 0.0 * push
        else:
            rubbed = self.sway + friction * self.gravity / self.g
            determinant = self.determinant(friction)
            drag = -friction * (self.mass * self.g + self.gravity_slope * square / self.g)
            drag = drag - self.sway_slope * square
            acceleration = (self.mass * push - self.sway * drag) / determinant
            sliding = (self.inertia * drag - rubbed * push) / determinant
        up = self._up(square, acceleration)
        along = self.sway * acceleration + self.sway_slope * square + self.mass * sliding
        return FootResponse(acceleration, sliding, torque, along, up)

    def _up(self, square: Any, acceleration: Any) -> Any:  # noqa: ANN401
        """Force of the floor upwards [N], of th'^2 and th''."""
        lifted = self.gravity * acceleration + self.gravity_slope * square
        return self.mass * self.g + lifted / self.g

    def determinant(self, friction: float | Array) -> Any:  # noqa: ANN401
        """Determinant of the matrix of th'' and x1'' of a sliding foot [kg^2 m^2].

        Raises ValueError where it is not positive.
        """
        rubbed = self.sway + friction * self.gravity / self.g
        determinant = self.inertia * self.mass - self.sway * rubbed
        if not np.min(np.real(determinant)) > 0.0:
            raise ValueError(
                f"friction of {np.max(np.abs(friction)):.4g} is beyond Painleve's, where forces "
                "of a sliding foot do not tell its motion: take less than `painleve_friction`"
            )
        return determinant

    def zmp(self, rate: Any, response: FootResponse) -> Any:  # noqa: ANN401
        """Zero-moment point, where the floor's force acts, ahead of the supporting ankle [m]."""
        turned = self.spin * response.acceleration + self.spin_slope * (rate * rate)
        # the whole machine is accelerated with the foot, at the height of its mass centre
        carried = self.potential / self.g * response.sliding
        with np.errstate(divide="ignore"):  # at infinity where the foot is about to lift
            return np.divide(turned + self.overhang - carried, response.up)

    def energy(self, rate: Any, speed: Any = 0.0) -> Any:  # noqa: ANN401
        """Kinetic and potential energy [J] with a foot of a speed x1' [m/s]."""
        turning = 0.5 * self.inertia * (rate * rate) + self.sway * (rate * speed)
        return turning + 0.5 * self.mass * (speed * speed) + self.potential

    def momentum(self, rate: Any, speed: Any) -> Any:  # noqa: ANN401
        """Momentum along the floor [N s]."""
        return self.sway * rate + self.mass * speed


# what a machine of two degrees of freedom has of th8
FUNCTIONS = TwoFreedoms._fields[2:]


def rows(parameters: PasibotParameters, th8: float | Array) -> Array:
    """Functions of th8 [rad] in the order of `FUNCTIONS`, (10, ...)."""
    at, of = pose(parameters, th8), bodies(parameters)
    mass = np.array([of[name].mass for name in LINKS])
    inertia = np.array([of[name].inertia for name in LINKS])
    weight, centres, turn = parameters.g * mass, at.centres, at.angles

    def total(weights: Array, values: Array) -> Array:
        return np.asarray(np.tensordot(weights, values, axes=1))

    def about_ankle(moving: Array, turning: Array) -> Array:
        return total(mass, np.imag(np.conj(centres.value) * moving)) + total(inertia, turning)

    bent = np.real(centres.second * np.conj(centres.first))
    return np.array(
        [
            total(mass, np.abs(centres.first) ** 2) + total(inertia, turn.first**2),
            2.0 * (total(mass, bent) + total(inertia, turn.first * turn.second)),
            *(
                total(weight, np.imag(row))
                for row in (centres.value, centres.first, centres.second)
            ),
            *(total(mass, np.real(row)) for row in (centres.first, centres.second)),
            about_ankle(centres.first, turn.first),
            about_ankle(centres.second, turn.second),
            parameters.g * total(mass, np.real(centres.value)),
        ]
    )


def two_freedoms(parameters: PasibotParameters, th8: float | Array) -> TwoFreedoms:
    """The machine at angles th8 [rad] of any shape."""
    return TwoFreedoms(total_mass(parameters), parameters.g, *rows(parameters, th8))


_FEWEST, _MOST = 128, 8192
# Coefficients at the end of the series, per greatest one, below which nothing is left to gain.
_RESOLVED = 1e-13
# What rounding leaves of coefficients that vanish, per greatest one: they are left out.
_ROUNDING = 1e-15


class SlidingProfile:
    """`two_freedoms` of one machine, called with angles th8 [rad] of any shape, real or complex.

    Attributes: parameters; nodes, how many angles it took; mass [kg]. Raises ValueError for a
    linkage so close to a dead point that 8192 angles are too few.
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        """Take more and more angles, until the last coefficients are rounding."""
        self.parameters, self.mass = parameters, total_mass(parameters)
        self.nodes = _FEWEST
        while True:
            around = np.arange(self.nodes, dtype=np.float64) * (2.0 * np.pi / self.nodes)
            series = np.fft.rfft(rows(parameters, around)) / self.nodes
            sizes = np.abs(series) / np.abs(series).max(axis=1, keepdims=True)
            if (sizes[:, -8:] <= _RESOLVED).all():
                break
            self.nodes *= 2
            if self.nodes > _MOST:
                raise ValueError("the linkage comes too close to a dead point to be interpolated")
        last = int(np.flatnonzero((sizes > _ROUNDING).any(axis=0))[-1])
        self._orders = np.arange(last + 1.0)
        self._turns = 1j * self._orders
        self._series = 2.0 * series[:, : last + 1]
        self._series[:, 0] *= 0.5
        self._parts = np.concatenate([self._series.real, -self._series.imag], axis=1)

    def __call__(self, th8: Any) -> TwoFreedoms:  # noqa: ANN401 (a number or an array)
        """The machine at angles th8 [rad]; numbers for one angle, else arrays of its shape."""
        if isinstance(th8, float):
            values = (self._series @ np.exp(self._turns * th8)).real.tolist()
        else:
            values = self._many(np.asarray(th8))
        return TwoFreedoms(self.mass, self.parameters.g, *values)

    def _many(self, th8: Array) -> Array:
        """Rows (10, ...) at angles of any shape."""
        angles = np.multiply.outer(self._orders, th8)
        parts = np.concatenate([np.cos(angles), np.sin(angles)])
        return np.tensordot(self._parts, parts, axes=1)
