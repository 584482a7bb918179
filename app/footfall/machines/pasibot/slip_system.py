"""PASIBOT with a supporting foot that may slide as an event-driven system: stick, slide+, slide-.

State: th8 of the supporting leg's crank [rad] in the step, th8' [rad/s]; way of the supporting feet
along the floor since the start, x1 [m], and x1' [m/s]; work of the motor and heat of friction [J];
steps since the start. What follows an event:

    slides ahead, slides back    |f01x| reaches mu_s f01y: stick -> slide+ or slide-
    stops                        x1' vanishes: stick, or the other direction if stick needs more
    exchange, exchange back      th8 reaches 3 pi/2 or pi/2: the other foot takes over, and the
                                 velocity of the one is the other's; stick is judged anew, since
                                 the forces jump
    lifts                        f01y vanishes: the end, for a foot in the air is no part of this

A foot that begins to slide has kinetic friction at once; the direction is against the force that
held it. Below Painleve's friction that is the only way to go on, see `closed_form.thresholds`.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.hybrid import FALLING, RISING, Guard, HybridMode, HybridSystem, State, Transition
from footfall.hybrid.model import ended
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.two_freedoms import FootResponse, TwoFreedoms
from footfall.machines.pasibot.slip_drives import Crank, Drive

STICK, AHEAD, BACK, LIFTED = "stick", "slide+", "slide-", "lifted"
DIRECTION = {STICK: 0, AHEAD: 1, BACK: -1}
SLIDES_AHEAD, SLIDES_BACK, STOPS = "slides ahead", "slides back", "stops"
EXCHANGE, EXCHANGE_BACK, LIFTS = "exchange", "exchange back", "lifts"

COMPONENTS = ("th8", "rate", "slip", "speed", "work", "heat", "steps")
TH8, RATE, SLIP, SPEED, WORK, HEAT, STEPS = range(len(COMPONENTS))

# How far guards are beyond zero when they fire, so that none is zero where its phase begins: a foot
# that begins to slide has a velocity of exactly 0. As `walk`, a step is left a little beyond it.
_FORCE, _SPEED, _BEYOND = 1e-12, 1e-12, 1e-12  # of the weight; m/s; rad


class Friction(NamedTuple):
    """Coefficients of static and of kinetic friction."""

    static: float
    kinetic: float


class SlipInstant(NamedTuple):
    """The machine at a time, or at many: the crank, its functions of th8, and what it responds."""

    crank: Crank
    at: TwoFreedoms
    response: FootResponse


class Slipping:
    """A machine with its drive and friction; piece: which of the drive's pieces is on."""

    def __init__(
        self, profile: SlidingProfile, drive: Drive, friction: Friction, piece: int = 0
    ) -> None:
        self._profile, self._drive, self._friction = profile, drive, friction
        self._piece = piece
        self._force = _FORCE * profile.mass * profile.parameters.g

    def instant(self, mode: str, t: Any, x: Any) -> SlipInstant:  # noqa: ANN401 (one time or many)
        """The machine in a mode at times t and states x, (7,) or (7, k)."""
        crank = self._crank(t, x)
        # the crank of the supporting leg is so many half turns behind
        at = self._profile(crank.th8 - math.pi * x[STEPS])
        kinetic = None if mode == STICK else DIRECTION[mode] * self._friction.kinetic
        return SlipInstant(crank, at, self._drive.respond(at, t, crank, kinetic, self._piece))

    def system(self) -> HybridSystem:
        """All modes."""
        modes = [
            self._stick(),
            self._slide(AHEAD),
            self._slide(BACK),
            ended(LIFTED),
        ]
        return HybridSystem({mode.name: mode for mode in modes}, COMPONENTS)

    def choose(self, t: float, x: State) -> Transition:
        """The mode in which a state goes on; a foot at rest sticks if friction suffices."""
        x = np.real(x)
        if abs(x[SPEED]) > _SPEED:
            return self._going(AHEAD if x[SPEED] > 0.0 else BACK, t, x)
        x = _with(x, SPEED, 0.0)
        held = self._response(STICK, t, x)
        if abs(held.along) <= self._friction.static * held.up or held.up <= 0.0:
            return Transition(STICK if held.up > 0.0 else LIFTED, x)
        return self._going(BACK if held.along > 0.0 else AHEAD, t, x)

    # --- modes -----------------------------------------------------------------------------------

    def _stick(self) -> HybridMode:
        def slack(sign: float) -> Callable[[Any, State], Any]:
            def value(t: Any, x: State) -> Any:  # noqa: ANN401
                held = self.instant(STICK, t, _numbers(x)).response
                return self._friction.static * held.up + sign * held.along + self._force

            return value

        guards = (
            Guard(SLIDES_AHEAD, slack(1.0), FALLING, lambda t, x: self._going(AHEAD, t, x)),
            Guard(SLIDES_BACK, slack(-1.0), FALLING, lambda t, x: self._going(BACK, t, x)),
        )
        return HybridMode(STICK, self._rates(STICK), (*guards, *self._common(STICK)))

    def _slide(self, mode: str) -> HybridMode:
        sign = DIRECTION[mode]

        def stopped(t: Any, x: State) -> Transition:  # noqa: ANN401
            return self.choose(t, _with(x, SPEED, 0.0))

        guard = Guard(STOPS, lambda _, x: sign * x[SPEED] + _SPEED, FALLING, stopped)
        return HybridMode(mode, self._rates(mode), (guard, *self._common(mode)))

    def _rates(self, mode: str) -> Callable[[Any, State], State]:
        def rates(t: Any, x: State) -> State:  # noqa: ANN401
            x = _numbers(x)
            crank, _, response = self.instant(mode, t, x)
            heat = -response.along * x[SPEED]
            work = response.torque * crank.rate
            found = (crank.rate, response.acceleration, x[SPEED], response.sliding, work, heat)
            return np.array([*found, 0.0 * heat])

        return rates

    def _common(self, mode: str) -> tuple[Guard, ...]:
        """The floor's hold and the ends of a step."""

        def up(t: Any, x: State) -> Any:  # noqa: ANN401
            return self.instant(mode, t, _numbers(x)).response.up

        def beyond(end: float) -> Callable[[Any, State], Any]:
            return lambda t, x: self._crank(t, x).th8 - math.pi * x[STEPS] - end

        return (
            Guard(LIFTS, up, FALLING, lambda _, x: Transition(LIFTED, x)),
            Guard(EXCHANGE, beyond(STEP_ENDS + _BEYOND), RISING, self._step(1)),
            Guard(EXCHANGE_BACK, beyond(STEP_BEGINS - _BEYOND), FALLING, self._step(-1)),
        )

    # --- resets ----------------------------------------------------------------------------------

    def _step(self, onwards: int) -> Callable[[Any, State], Transition]:
        def reset(t: Any, x: State) -> Transition:  # noqa: ANN401
            on_other = _with(x, STEPS, x[STEPS] + onwards)
            crank = self._crank(t, x)
            on_other[TH8] = crank.th8 - math.pi * on_other[STEPS]
            return self.choose(t, on_other)

        return reset

    def _going(self, mode: str, t: float, x: State) -> Transition:
        """Slide, if the floor still carries the foot then."""
        return Transition(mode if self._response(mode, t, x).up > 0.0 else LIFTED, x)

    def _response(self, mode: str, t: float, x: State) -> FootResponse:
        """Response at an instant; raises ValueError for a drive that is no number there."""
        found = self.instant(mode, t, np.real(x).tolist()).response
        if not math.isfinite(found.torque):
            raise ValueError(f"the torque at t = {t} s is {found.torque}")
        return found

    def _crank(self, t: Any, x: Any) -> Crank:  # noqa: ANN401
        return self._drive.crank(t, Crank(x[TH8] + math.pi * x[STEPS], x[RATE]))


def _numbers(x: State) -> Any:  # noqa: ANN401
    """One state as numbers, which are faster than arrays of none; many as they are."""
    return x.tolist() if x.ndim == 1 else x


def _with(x: State, index: int, value: float) -> Array:
    """A state with one component set."""
    changed = np.array(np.real(x), dtype=np.float64)
    changed[index] = value
    return changed
