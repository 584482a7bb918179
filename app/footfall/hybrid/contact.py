"""A machine on one point that sticks, slips, flies and lands, as an event-driven system.

Lambda is the force of the ground on the point, along the ground and off it; sigma is the sign of
the velocity with which it slides. What follows an event:

    lambda_n vanishes    stick or slip -> flight
    edge backward        lambda_t reaches mu lambda_n: stick -> slip-, or flight if that would not
                         speed up (Painleve)
    edge forward         lambda_t reaches -mu lambda_n: stick -> slip+, or flight likewise
    sliding stops        any phase that is consistent
    the drive jumps      piece 1 of the drive follows, then piece 2, and so on; with the point on
                         the ground the phase is chosen anew
    the point lands      what the machine says, mostly an impact and then any consistent phase

Choice of a phase, where it is free (start, impacts, jumps of the drive, end of sliding). One phase
is consistent, as a rule. With much friction (Painleve) there may be none, which the machine has to
mend, or several, of which flight is always one. The phase that the point is in goes on if it is
among them, else flight, which needs no force. Resets tell where a phase was chosen: "consistent" is
how many of them were.

Sources: F. Genot, B. Brogliato: New results on Painleve paradoxes, European Journal of Mechanics
A/Solids 18 (1999) 653-677; A. R. Champneys, P. L. Varkonyi: The Painleve paradox in contact
mechanics, IMA Journal of Applied Mathematics 81 (2016) 538-588.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from footfall.hybrid.component_first import STEP, Number, State
from footfall.hybrid.model import FALLING, RISING, Guard, HybridMode, HybridSystem, Transition

# How far guards are beyond zero when they fire, so that none is zero where its phase begins: a
# point that begins to slide has a velocity of exactly 0.
_FORCE, _SPEED = 1e-12, 1e-12  # of the weight; m/s
_EDGE = 1e-9  # of the force and the weight: what stick may lack of its cone by rounding
_SIDES = {-1: " bottom", 0: "", 1: " top"}

Reset = Callable[[Any, State], Transition]


class ContactPhase(StrEnum):
    """Phase of a point: stands, slides forward (sigma = 1) or backward (-1), or is in the air."""

    STICK = "stick"
    SLIP_FORWARD = "slip+"
    SLIP_BACKWARD = "slip-"
    FLIGHT = "flight"


SIGMA = {ContactPhase.SLIP_FORWARD: 1.0, ContactPhase.SLIP_BACKWARD: -1.0}


class PointMotion(NamedTuple):
    """Motion of a point in a phase: along and up, the force of the ground on it [N].

    sliding, leaving: its acceleration along the ground and off it [m/s^2].
    """

    along: Number
    up: Number
    sliding: Number
    leaving: Number


class Friction(NamedTuple):
    """Coefficients of static and of kinetic friction."""

    static: float
    kinetic: float


class ContactMode(NamedTuple):
    """A mode: phase of the point, piece of the drive, and side of its bound (0: within)."""

    phase: ContactPhase
    piece: int
    side: int = 0

    @property
    def name(self) -> str:
        """Name of the mode, such as "slip- 1" or, with a saturated motor, "stick 0 top"."""
        return f"{self.phase} {self.piece}{_SIDES[self.side]}"


def mode_of(name: str) -> ContactMode:
    """The mode of a name."""
    phase, piece, *side = name.split(" ")
    sides = {word.strip(): number for number, word in _SIDES.items()}
    return ContactMode(ContactPhase(phase), int(piece), sides[side[0] if side else ""])


def phase_of(name: str) -> ContactPhase:
    """The phase of the point in a mode of a name."""
    return mode_of(name).phase


def consistent_phases(
    motion: Callable[[ContactPhase], PointMotion],
    friction: float,
    velocity: tuple[float, float],
    still: float = 0.0,
) -> tuple[ContactPhase, ...]:
    """Every phase that a point on the ground may go on in: stick, slip, flight in this order.

    motion: of the point in a phase. velocity: along the ground and off it [m/s]; speeds up to
    ``still`` count as 0. Raises ValueError for a point that moves into the ground, which calls for
    an impact.
    """
    v_t, v_n = velocity
    if v_n < -still:
        raise ValueError(f"the point moves into the ground at {-v_n} m/s: an impact comes first")
    if v_n > still:
        return (ContactPhase.FLIGHT,)
    rests, phases = abs(v_t) <= still, []
    if rests:
        held = motion(ContactPhase.STICK)
        if held.up > 0.0 and abs(held.along) <= friction * held.up:
            phases.append(ContactPhase.STICK)
    for phase, sigma in SIGMA.items():
        slips = motion(phase)
        # at rest it starts in the direction in which it is accelerated
        if slips.up > 0.0 and sigma * (slips.sliding if rests else v_t) > 0.0:
            phases.append(phase)
    if motion(ContactPhase.FLIGHT).leaving >= 0.0:
        phases.append(ContactPhase.FLIGHT)
    return tuple(phases)


class ContactSystem(ABC):
    """The phases of a machine on one point, with their guards and resets.

    A machine gives its rates and the point's motion in every phase, and what is special about it:
    guards besides, what follows where no phase is consistent, landings. Names of guards may be its
    own.
    """

    VANISHES, STOPS, JUMPS = "lambda_n vanishes", "sliding stops", "drive jumps"
    EDGES: Mapping[ContactPhase, str] = {
        ContactPhase.SLIP_BACKWARD: "edge backward",
        ContactPhase.SLIP_FORWARD: "edge forward",
    }

    def __init__(
        self,
        components: tuple[str, ...],
        velocity: tuple[int, int | None],
        friction: Friction,
        weight: float,
        breaks: tuple[float, ...],
        sides: tuple[int, ...] = (0,),
    ) -> None:
        """Take the state's components and which are the velocity of the point along and off.

        None for the second: a point that never leaves. weight [N]. breaks: times at which the drive
        jumps [s]. sides: of its bound on which the drive may be.
        """
        self.components, self.friction, self.breaks = components, friction, breaks
        self._along, self._off = velocity
        self._sides, self._weight = sides, weight
        self._force = _FORCE * weight

    # --- what a machine says -------------------------------------------------------------------

    @abstractmethod
    def rates(self, mode: ContactMode, t: Number, y: State) -> State:
        """Rates of a state in a mode, analytic."""

    @abstractmethod
    def motion(self, mode: ContactMode, t: Number, y: State) -> PointMotion:
        """Motion of the point in a mode, analytic."""

    @abstractmethod
    def stuck(self, piece: int, t: Number, y: State, outputs: Mapping[str, State]) -> Transition:
        """Go on where no phase is consistent."""

    def on(self, phase: ContactPhase, piece: int, _t: Number, _y: State) -> ContactMode:
        """The mode of a phase and a piece at a state."""
        return ContactMode(phase, piece)

    def besides(self, _mode: ContactMode) -> tuple[Guard, ...]:
        """Guards of a mode besides those of the contact."""
        return ()

    def landings(self, _mode: ContactMode) -> tuple[Guard, ...]:
        """Guards of a flight at which it lands."""
        return ()

    def ends(self) -> tuple[HybridMode, ...]:
        """Modes in which a motion ends."""
        return ()

    # --- the system ------------------------------------------------------------------------------

    def system(self) -> HybridSystem:
        """All modes."""
        keys = product(ContactPhase, range(len(self.breaks) + 1), self._sides)
        modes = [*(self._mode(ContactMode(*key)) for key in keys), *self.ends()]
        return HybridSystem({mode.name: mode for mode in modes}, self.components)

    def consistent(self, piece: int, t: Number, y: State) -> tuple[ContactMode, ...]:
        """Every mode of a piece that a state with the point on the ground may go on in.

        Each phase is judged by what the drive gives in it. Flight comes first, then stick.
        """
        t, y = float(np.real(t)), np.real(y)

        def motion(phase: ContactPhase) -> PointMotion:
            return self.motion(self.on(phase, piece, t, y), t, y)

        off = 0.0 if self._off is None else float(y[self._off])
        phases = consistent_phases(motion, self.friction.static, (float(y[self._along]), off))
        ordered = sorted(phases, key=lambda phase: phase is not ContactPhase.FLIGHT)
        return tuple(self.on(phase, piece, t, y) for phase in ordered)

    def choose(
        self,
        piece: int,
        t: Number,
        y: State,
        now: ContactPhase | None = None,
        outputs: Mapping[str, State] | None = None,
    ) -> Transition:
        """Go on from a state with the point on the ground, not moving into it.

        now: the phase so far; outputs: of the event so far.
        """
        ways = self.consistent(piece, t, y) or self._on_edge(piece, t, y)
        outputs = {**(outputs or {}), "consistent": np.array(len(ways))}
        if not ways:
            return self.stuck(piece, t, y, outputs)
        same = [mode for mode in ways if mode.phase is now]
        return Transition((*same, *ways)[0].name, y, outputs)

    def at_rest(self, y: State) -> State:
        """A state whose point does not move."""
        return with_components(y, {k: 0.0 for k in (self._along, self._off) if k is not None})

    def _on_edge(self, piece: int, t: Number, y: State) -> tuple[ContactMode, ...]:
        """Stick, if the point is at rest and on the edge of its cone, which rounding hides."""
        mode = self.on(ContactPhase.STICK, piece, t, y)
        along, up, *_ = self.motion(mode, np.real(t), np.real(y))
        left = (up, self.friction.static * up - along, self.friction.static * up + along)
        size = np.abs(left).max() + self._weight
        return (mode,) if y[self._along] == 0.0 and min(left) >= -_EDGE * size else ()

    # --- modes -----------------------------------------------------------------------------------

    def _mode(self, mode: ContactMode) -> HybridMode:
        guards = {ContactPhase.STICK: self._stick, ContactPhase.FLIGHT: self.landings}
        own = guards.get(mode.phase, self._slip)(mode)
        guards_of = (*self._jump(mode), *own, *self.besides(mode))
        return HybridMode(mode.name, partial(self.rates, mode), guards_of)

    def _jump(self, mode: ContactMode) -> tuple[Guard, ...]:
        """The end of a piece of the drive, if it has one."""
        if mode.piece == len(self.breaks):
            return ()
        time, following = self.breaks[mode.piece], mode.piece + 1

        def onward(t: Number, y: State) -> Transition:
            if mode.phase is ContactPhase.FLIGHT:
                return Transition(self.on(mode.phase, following, t, y).name, y)
            return self.choose(following, t, y, mode.phase)

        # a name of its own: by its name a guard knows that it has just fired
        return (Guard(f"{self.JUMPS} {following}", lambda t, _: t - time, RISING, onward),)

    def _stick(self, mode: ContactMode) -> tuple[Guard, ...]:
        def cone(sign: float) -> Callable[[Number, State], Number]:
            def value(t: Number, y: State) -> Number:
                held = self.motion(mode, t, y)
                return self.friction.static * held.up + sign * held.along + self._force

            return value

        edges = [
            Guard(self.EDGES[phase], cone(sigma), FALLING, self._over_edge(mode, phase))
            for phase, sigma in reversed(SIGMA.items())
        ]
        return (self._vanishing(mode), *edges)

    def _slip(self, mode: ContactMode) -> tuple[Guard, ...]:
        sigma = SIGMA[mode.phase]

        def stopped(t: Number, y: State) -> Transition:
            return self.choose(mode.piece, t, self.at_rest(y))

        speed = Guard(self.STOPS, lambda _, y: sigma * y[self._along] + _SPEED, FALLING, stopped)
        return (self._vanishing(mode), speed)

    def _vanishing(self, mode: ContactMode) -> Guard:
        def pressing(t: Number, y: State) -> Number:
            return self.motion(mode, t, y).up + self._force

        return Guard(self.VANISHES, pressing, FALLING, self._to_flight(mode))

    def _to_flight(self, mode: ContactMode) -> Reset:
        """The point lets go of the ground."""
        return lambda t, y: Transition(self.on(ContactPhase.FLIGHT, mode.piece, t, y).name, y)

    def _over_edge(self, mode: ContactMode, phase: ContactPhase) -> Reset:
        """The point begins to slide: if sliding speeds it up that way, else it is let go."""

        def reset(t: Number, y: State) -> Transition:
            slip = self.on(phase, mode.piece, t, y)
            time, state = np.real(t), np.real(y)
            moved = state + 1j * STEP * self.rates(mode, time, state)
            sliding = self.rates(slip, time + 1j * STEP, moved)[self._along]
            # kinetic friction that is less speeds it up at once, else it is about to
            jumps = self.friction.kinetic < self.friction.static
            if SIGMA[phase] * (np.real(sliding) if jumps else np.imag(sliding)) > 0.0:
                return Transition(slip.name, y)
            return self._to_flight(mode)(t, y)

        return reset


def with_components(y: State, values: Mapping[int, Number]) -> State:
    """A state with some components set."""
    changed = np.array(y)
    for index, value in values.items():
        changed[index] = value
    return changed
