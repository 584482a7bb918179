"""PASIBOT with a supporting foot that may slide as an event-driven system: stick, slide+, slide-.

State: th8 of the supporting leg's crank [rad] in the step, th8' [rad/s]; way of the supporting feet
along the floor since the start, x1 [m], and x1' [m/s]; work of the motor and heat of friction [J];
steps since the start. `footfall.hybrid.contact` says what follows the events of a foot, here called

    slides ahead, slides back    |f01x| reaches mu_s f01y: stick -> slide+ or slide-
    stops                        x1' vanishes: stick, or the other direction if stick needs more
    lifts                        f01y vanishes: the end, for a foot in the air is no part of this

Besides, exchange and exchange back: th8 reaches 3 pi/2 or pi/2, the other foot takes over, and the
velocity of the one is the other's; stick is judged anew, since the forces jump.

A foot that begins to slide has kinetic friction at once; the direction is against the force that
held it. Below Painleve's friction that is the only way to go on, see `closed_form.thresholds`.

Drives of PASIBOT's crank: a prescribed motion th8(t), or a torque.

Angles count on from the first step, th8 = pi/2 being its beginning. Functions of a drive take
numbers, real or complex, and arrays; they are analytic, as `footfall.hybrid` wants them.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from footfall.hybrid import FALLING, RISING, Guard, State, Transition
from footfall.hybrid.component_first import Number
from footfall.hybrid.contact import (
    SIGMA,
    ContactMode,
    ContactPhase,
    ContactSystem,
    Friction,
    PointMotion,
    with_components,
)
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.two_freedoms import (
    FootResponse,
    SlidingProfile,
    TwoFreedoms,
)

Law = Callable[[Any, Any, Any], Any]


class Crank(NamedTuple):
    """Angle th8 [rad], counted on from the first step, and its rate [rad/s]."""

    th8: Any
    rate: Any


@dataclass(frozen=True)
class Prescribed:
    """A crank that turns as it is told: motion(t) gives th8 [rad], th8' and th8''.

    breaks: times [s] at which th8'' jumps; th8 and th8' never do.
    """

    motion: Callable[[Any], tuple[Any, Any, Any]]
    breaks: tuple[float, ...] = ()

    def crank(self, t: Any, _state: Crank) -> Crank:  # noqa: ANN401 (numbers or arrays)
        """Return where the crank is at a time [s], whatever was integrated."""
        return Crank(*self.motion(t)[:2])

    def respond(
        self,
        at: TwoFreedoms,
        t: Any,  # noqa: ANN401
        crank: Crank,
        friction: float | None,
        _piece: int,
    ) -> FootResponse:
        """Forces and torque of the motion."""
        return at.inverse(crank.rate, self.motion(t)[2], friction)


@dataclass(frozen=True)
class Torque:
    """A torque law(t, th8, th8') [N m], of time alone or fed back.

    laws: one more than there are breaks, the times [s] at which one follows another; a torque
    that jumps has a law for each side. Raises ValueError for another number of laws.
    """

    laws: tuple[Law, ...]
    breaks: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse laws without a place, and breaks out of order."""
        if len(self.laws) != len(self.breaks) + 1:
            raise ValueError(f"{len(self.breaks)} breaks want one law more, got {len(self.laws)}")
        if list(self.breaks) != sorted(self.breaks):
            raise ValueError(f"breaks must rise, got {self.breaks}")

    def crank(self, _t: Any, state: Crank) -> Crank:  # noqa: ANN401
        """Return where the crank is: where the integrator has it."""
        return state

    def respond(
        self,
        at: TwoFreedoms,
        t: Any,  # noqa: ANN401
        crank: Crank,
        friction: float | None,
        piece: int,
    ) -> FootResponse:
        """Motion and forces under the torque."""
        torque = self.laws[piece](t, crank.th8, crank.rate)
        return at.forward(crank.rate, torque, friction)


Drive = Prescribed | Torque


def constant_speed(rate: float, th8: float = STEP_BEGINS) -> Prescribed:
    """A crank at a constant th8' = rate [rad/s] from an angle th8 [rad] at t = 0."""
    if not math.isfinite(rate):
        raise ValueError(f"the rate must be a finite number, got {rate}")
    return Prescribed(lambda t: (th8 + rate * t, rate + 0.0 * t, 0.0 * t))


def constant_torque(torque: float) -> Torque:
    """A torque [N m] that never changes."""
    return Torque((lambda t, _th8, _rate: torque + 0.0 * t,))


STICK, AHEAD, BACK, LIFTED = "stick", "slide+", "slide-", "lifted"
PHASES = dict(zip(ContactPhase, (STICK, AHEAD, BACK, LIFTED), strict=True))
"""Phases of a foot by the names that this machine has for them."""
EXCHANGE, EXCHANGE_BACK = "exchange", "exchange back"

COMPONENTS = ("th8", "rate", "slip", "speed", "work", "heat", "steps")
TH8, RATE, SLIP, SPEED, WORK, HEAT, STEPS = range(len(COMPONENTS))

# A step is left so much [rad] beyond its end, so that a machine at rest there is in one of them.
_BEYOND = 1e-12
_STILL = 1e-12  # m/s


class SlipInstant(NamedTuple):
    """The machine at a time, or at many: the crank, its functions of th8, and what it responds."""

    crank: Crank
    at: TwoFreedoms
    response: FootResponse


class Slipping(ContactSystem):
    """A machine with its drive and the friction of its parameters, mu_s and mu_k."""

    VANISHES, STOPS = "lifts", "stops"
    EDGES: Mapping[ContactPhase, str] = {
        ContactPhase.SLIP_FORWARD: "slides ahead",
        ContactPhase.SLIP_BACKWARD: "slides back",
    }

    def __init__(self, profile: SlidingProfile, drive: Drive) -> None:
        self.profile, self.drive, p = profile, drive, profile.parameters
        friction, weight = Friction(p.mu_s, p.mu_k), profile.mass * p.g
        super().__init__(COMPONENTS, (SPEED, None), friction, weight, drive.breaks)

    def instant(self, mode: ContactMode, t: Any, x: Any) -> SlipInstant:  # noqa: ANN401 (one time or many)
        """The machine in a mode at times t and states x, (7,) or (7, k)."""
        crank = self._crank(t, x)
        # the crank of the supporting leg is so many half turns behind
        at = self.profile(crank.th8 - math.pi * x[STEPS])
        sigma = SIGMA.get(mode.phase)
        kinetic = None if sigma is None else sigma * self.friction.kinetic
        return SlipInstant(crank, at, self.drive.respond(at, t, crank, kinetic, mode.piece))

    def rates(self, mode: ContactMode, t: Number, y: State) -> State:
        """Rates of a state (7,) in a mode."""
        if mode.phase is ContactPhase.FLIGHT:
            return np.full(np.shape(y), np.nan)  # the end
        x = _numbers(y)
        crank, _, response = self.instant(mode, t, x)
        heat = -response.along * x[SPEED]
        work = response.torque * crank.rate
        rates = (crank.rate, response.acceleration, x[SPEED], response.sliding, work, heat)
        return np.array([*rates, 0.0 * heat])

    def motion(self, mode: ContactMode, t: Number, y: State) -> PointMotion:
        """Motion of the supporting foot, which never leaves the floor by itself."""
        response = self.instant(mode, t, _numbers(y)).response
        return PointMotion(response.along, response.up, response.sliding, -1.0)

    def on(self, phase: ContactPhase, piece: int, t: Number, y: State) -> ContactMode:
        """The mode of a phase; raises ValueError for a drive that is no number there."""
        mode, time = ContactMode(phase, piece), float(np.real(t))
        torque = self.instant(mode, time, np.real(y).tolist()).response.torque
        if not math.isfinite(torque):
            raise ValueError(f"the torque at t = {time} s is {torque}")
        return mode

    def choose(
        self,
        piece: int,
        t: Number,
        y: State,
        now: ContactPhase | None = None,
        outputs: Mapping[str, State] | None = None,
    ) -> Transition:
        """Go on from a state; a speed that is rounding is none."""
        rests = abs(np.real(y[SPEED])) <= _STILL
        return super().choose(piece, t, self.at_rest(y) if rests else y, now, outputs)

    def stuck(self, piece: int, _t: Number, y: State, outputs: Mapping[str, State]) -> Transition:
        """The floor would have to hold the foot down: the end."""
        return Transition(ContactMode(ContactPhase.FLIGHT, piece).name, y, outputs)

    def besides(self, mode: ContactMode) -> tuple[Guard, ...]:
        """The ends of a step."""

        def beyond(end: float) -> Callable[[Number, State], Number]:
            return lambda t, y: self._crank(t, y).th8 - math.pi * y[STEPS] - end

        def other(onwards: int) -> Callable[[Number, State], Transition]:
            def reset(t: Number, y: State) -> Transition:
                steps = np.real(y[STEPS]) + onwards
                th8 = np.real(self._crank(t, y).th8) - math.pi * steps
                return self.choose(mode.piece, t, with_components(y, {STEPS: steps, TH8: th8}))

            return reset

        return (
            Guard(EXCHANGE, beyond(STEP_ENDS + _BEYOND), RISING, other(1)),
            Guard(EXCHANGE_BACK, beyond(STEP_BEGINS - _BEYOND), FALLING, other(-1)),
        )

    def _crank(self, t: Number, y: State) -> Crank:
        return self.drive.crank(t, Crank(y[TH8] + math.pi * y[STEPS], y[RATE]))


class Held(Slipping):
    """The same on a foot that neither slides nor lifts, whatever force of the floor that takes."""

    def choose(
        self,
        piece: int,
        t: Number,
        y: State,
        now: ContactPhase | None = None,
        outputs: Mapping[str, State] | None = None,
    ) -> Transition:
        """Go on from a state: the foot sticks, as it did."""
        return Transition(self.on(now or ContactPhase.STICK, piece, t, y).name, y, outputs or {})

    def _stick(self, _mode: ContactMode) -> tuple[Guard, ...]:
        return ()


def _numbers(x: State) -> Any:  # noqa: ANN401
    """One state as numbers, which are faster than arrays of none; many as they are."""
    return x.tolist() if isinstance(x, np.ndarray) and x.ndim == 1 else x
