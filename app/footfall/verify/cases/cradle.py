"""Newton's cradle: what laws of impact make of three balls, touching or a little apart."""

import numpy as np

from footfall.arrays import Array
from footfall.textbook.cradle import newton, one_after_another, poisson
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, Quantity, quantity
from footfall.verify.observables import last_position, last_velocity, position_curve

MASSES = np.ones(3)  # kg
ARRIVING = np.array([1.0, 0.0, 0.0])  # m/s
ELASTIC = np.ones(2)
MIXED = np.array([0.0, 1.0])
WAY = 0.05  # m, before the first ball arrives
GAP = 1e-3  # m, between the last two balls where they are apart

_STEPS = (4e-3, 2e-3, 1e-3)
_DURATION = 0.1  # s, of the scenario
_ROUNDING = "rounding: an impact is one linear problem, whatever the step"
_POISSON = "moreau.impact_law=poisson"
_PLASTIC_FIRST = "pairs=[{contact: 'cradle::ball1|cradle::ball2', restitution: 0.0}]"


def _momentum(trajectory: Trajectory) -> float:
    speeds = np.array([last_velocity(f"x{ball}")(trajectory) for ball in (1, 2, 3)])
    return float(MASSES @ speeds)


def _kinetic(trajectory: Trajectory) -> float:
    return float(trajectory.data["kinetic_energy"].to_numpy()[-1])


def _quantities(speeds: Array, gap: float = 0.0) -> tuple[Quantity, ...]:
    ends = [
        quantity(
            f"speed of ball {ball} at the end",
            "m/s",
            float(speed),
            last_velocity(f"x{ball}"),
            1e-10,
            _ROUNDING,
        )
        for ball, speed in enumerate(speeds, start=1)
    ]
    momentum, energy = float(MASSES @ ARRIVING), float(0.5 * MASSES @ speeds**2)
    return (
        *ends,
        quantity("momentum at the end", "N s", momentum, _momentum, 1e-10, _ROUNDING),
        quantity("kinetic energy at the end", "J", energy, _kinetic, 1e-10, _ROUNDING),
        quantity(
            "place of the last ball at the end",
            "m",
            float(_place(np.array(_DURATION), speeds[2], gap)),
            last_position("x3"),
            2.0 * float(speeds[2]) * _STEPS[-1],
            "an impact takes place up to a step late",
        ),
    )


def _curve(speeds: Array, gap: float = 0.0) -> CaseCurve:
    return CaseCurve(
        "place of the last ball (m)", position_curve("x3"), lambda t: _place(t, speeds[2], gap)
    )


def _place(t: Array, speed: float, gap: float) -> Array:
    """Place of the last ball [m], which the first one reaches through the gaps."""
    return gap + speed * np.maximum(t - (WAY + gap) / ARRIVING[0], 0.0)


_NEWTON, _ = newton(MASSES, ELASTIC, ARRIVING)
_POISSONS, _ = poisson(MASSES, ELASTIC, ARRIVING)
_MIXED_NEWTON, _ = newton(MASSES, MIXED, ARRIVING)
_MIXED_POISSON, _ = poisson(MASSES, MIXED, ARRIVING)
_APART = one_after_another(MASSES, ELASTIC, ARRIVING, np.array([-WAY, 0.0, GAP]))

_SOURCE = (
    "Ch. Glocker & F. Pfeiffer, Multiple impacts with friction in rigid multibody systems, "
    "Nonlinear Dynamics 7 (1995) 471-497; footfall.textbook.cradle"
)

CASES = (
    Case(
        name="cradle_newton",
        title="Newton's cradle, touching balls, Newton's law",
        statement=(
            "A ball arrives at v₀ = 1 m/s at two equal balls that touch, e = 1. Newton's law "
            "reverses the opening velocity of every contact in one impact, so the two stay "
            "together: v = (−1/3, 2/3, 2/3) v₀, an elastic collision of a mass with twice its own. "
            "Momentum and energy are kept, and yet no real cradle does this: elastic balls that "
            "touch (Hertz) leave with (−0.07, 0.08, 0.99) v₀. A rigid-body law cannot know how "
            "the impact travels through the chain."
        ),
        source=_SOURCE,
        scenario="verify/cradle",
        steps=_STEPS,
        quantities=_quantities(_NEWTON),
        curve=_curve(_NEWTON),
        drake_note=(
            "Drake's contact has no restitution. Its balls leave as from a plastic impact, with "
            "0.33 to 0.34 v₀ (sap) or 0.29, 0.33 and 0.38 v₀ (lagged, similar), and two thirds of "
            "the energy are gone; the momentum is kept to rounding."
        ),
    ),
    Case(
        name="cradle_poisson",
        title="Newton's cradle, touching balls, Poisson's law",
        statement=(
            "The same impact by Poisson's law: the compression ends with all balls at v₀/3 and has "
            "stored the impulses (2/3, 1/3) m v₀, which the expansion gives back, e = 1. The "
            "outcome is Newton's, v = (−1/3, 2/3, 2/3) v₀: where all contacts have one e and stay "
            "closed in the compression, the two laws are the same."
        ),
        source=_SOURCE,
        scenario="verify/cradle",
        settings=(_POISSON,),
        steps=_STEPS,
        quantities=_quantities(_POISSONS),
        curve=_curve(_POISSONS),
        drake_note=("As by Newton's law: Drake's balls all go on with about v₀/3."),
    ),
    Case(
        name="cradle_mixed_newton",
        title="A plastic and an elastic contact, Newton's law",
        statement=(
            "The first contact is plastic, e₁ = 0, the second elastic, e₂ = 1. The second does not "
            "approach before the impact, so Newton's law asks nothing of it: all balls go on with "
            "v₀/3, and two thirds of the energy are lost."
        ),
        source=_SOURCE,
        scenario="verify/cradle",
        settings=(_PLASTIC_FIRST,),
        steps=_STEPS,
        quantities=_quantities(_MIXED_NEWTON),
        curve=_curve(_MIXED_NEWTON),
        drake_note=(
            "This is the one cradle that Drake's plastic contact can play: sap's speeds are right "
            "to 6 mm/s, those of lagged and similar to 5 cm/s."
        ),
    ),
    Case(
        name="cradle_mixed_poisson",
        title="A plastic and an elastic contact, Poisson's law",
        statement=(
            "The same with Poisson's law: the elastic contact has been compressed, and gives back "
            "its impulse of m v₀/3: v = (1/6, 1/6, 2/3) v₀. This is what Glocker and Pfeiffer's "
            "law is for: it passes impacts on through contacts that touch."
        ),
        source=_SOURCE,
        scenario="verify/cradle",
        settings=(_PLASTIC_FIRST, _POISSON),
        steps=_STEPS,
        quantities=_quantities(_MIXED_POISSON),
        curve=_curve(_MIXED_POISSON),
        drake_note=(
            "Drake has no contact that gives back what it stored: all balls go on with about v₀/3."
        ),
    ),
    Case(
        name="cradle_apart",
        title="Newton's cradle, balls a little apart",
        statement=(
            "With 1 mm between the last two balls they collide one after the other, and the last "
            "one alone leaves, with v₀: the textbook's cradle. Any gap does it, so that the "
            "outcome jumps where the gap becomes zero; real balls that touch come close to it."
        ),
        source="two collisions of equal masses; footfall.textbook.cradle",
        scenario="verify/cradle",
        settings=(f"initial.positions.x3={GAP!r}",),
        steps=_STEPS,
        quantities=_quantities(_APART, GAP),
        curve=_curve(_APART, GAP),
        drake_note=(
            "Without restitution the last ball leaves with 0.43 v₀ (sap) or 0.38 v₀ (lagged, "
            "similar), and the others follow it."
        ),
    ),
)
