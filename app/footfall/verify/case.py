"""A verification case: the problem, its closed form, and what is measured against it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from footfall.arrays import Array
from footfall.registry.claims import Claim, checked
from footfall.trajectory import Trajectory
from footfall.yaml_loader import table_beside

DRAKE_ENGINES = ("drake-sap", "drake-lagged", "drake-similar")
"""Drake's discrete contact, which every problem of contact is shown in."""

KNOWN_ENGINES = (*DRAKE_ENGINES, "drake-continuous")
"""Those that a case may name; a compliant ground in continuous time is another problem."""


@dataclass(frozen=True)
class Quantity:
    """One number of a case: the check that it is held to, and how it is measured.

    ``check``: against the closed form. ``measure``: the same number read off a trajectory; NaN or a
    ValueError or IndexError where the trajectory does not have it (no third impact). ``order``: of
    convergence over the case's steps; None where the number is exact at every step or not smooth
    in the step.
    """

    check: Claim
    measure: Callable[[Trajectory], float]
    order: float | None = None


def quantity(
    name: str,
    unit: str,
    exact: float,
    measure: Callable[[Trajectory], float],
    tolerance: float,
    reason: str,
    order: float | None = None,
) -> Quantity:
    """A quantity whose ``exact`` value in ``unit`` (SI, "1" for none) is from the closed form.

    ``tolerance``: |measured - exact| that the Moreau engine is allowed at the finest step, with its
    ``reason``: which error dominates, in one phrase. Raises ValueError for numbers that would let
    everything or nothing pass.
    """
    if not (math.isfinite(tolerance) and tolerance > 0.0):
        raise ValueError(f"{name}: the tolerance is {tolerance}")
    check = checked(name, unit, exact, exact, tolerance, source="", reason=reason)
    return Quantity(check, measure, order)


@dataclass(frozen=True)
class CaseCurve:
    """One picture of a case: the exact curve and that of every engine at the finest step.

    ``label``: of the y axis with its unit. ``measured``: values at the rows of a trajectory.
    ``exact``: values at times [s].
    """

    label: str
    measured: Callable[[Trajectory], Array]
    exact: Callable[[Array], Array]


@dataclass(frozen=True)
class Case:
    """One problem with a known answer.

    ``statement``: what is shown, in two or three sentences with the formula. ``source``: author,
    title, year, equation. ``scenario``: shipped scenario; ``settings``: overrides "key=value" on
    it. ``steps``: time steps [s], coarse to fine. ``drake``: Drake's engines that can play.
    ``drake_note``: what compliance or its lack of restitution costs, as the numbers show.
    """

    name: str
    title: str
    statement: str
    source: str
    scenario: str
    steps: tuple[float, ...]
    quantities: tuple[Quantity, ...]
    curve: CaseCurve
    settings: tuple[str, ...] = ()
    drake: tuple[str, ...] = DRAKE_ENGINES
    drake_note: str = ""

    def __post_init__(self) -> None:
        """Refuse what could not be run or judged."""
        if not self.quantities:
            raise ValueError(f"{self.name}: a case needs a quantity")
        if len(self.steps) < 2 or sorted(set(self.steps), reverse=True) != list(self.steps):
            raise ValueError(f"{self.name}: give at least two steps, from coarse to fine")
        unknown = set(self.drake) - set(KNOWN_ENGINES)
        if unknown:
            raise ValueError(f"{self.name}: unknown engines {', '.join(sorted(unknown))}")


Measured = tuple[float, Callable[[Trajectory], float], float]
"""The exact value of a quantity, what measures it, and the tolerance; see ``quantity``."""


def case(
    name: str,
    steps: tuple[float, ...],
    measured: Mapping[str, Measured],
    values: Callable[[Trajectory], Array],
    exact: Callable[[Array], Array],
    **numbers: str,
) -> Case:
    """The case whose words ``cases.yaml`` has, with its numbers.

    ``values``, ``exact``: of its curve. ``numbers``: by their names in the statement. Raises
    KeyError or ValueError where the words are of other quantities.
    """
    words = table_beside(__file__, "cases.yaml")[name]
    statement, own = words["statement"], words["quantities"]
    quantities = tuple(
        quantity(what, own[what]["unit"], *held, own[what]["reason"], own[what].get("order"))
        for what, held in measured.items()
    )
    if list(own) != list(measured):
        raise ValueError(f"{name}: cases.yaml has other quantities, or in another order")
    return Case(
        name=name,
        title=words["title"],
        statement=statement.format(**numbers) if numbers else statement,
        source=words["source"],
        scenario=words["scenario"],
        steps=steps,
        quantities=quantities,
        curve=CaseCurve(words["curve"], values, exact),
        settings=tuple(words.get("settings", ())),
        drake=tuple(words.get("drake", DRAKE_ENGINES)),
        drake_note=words.get("drake_note", ""),
    )
