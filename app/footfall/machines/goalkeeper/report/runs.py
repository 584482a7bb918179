"""Runs of the goalkeeper as its page shows them, with the law that the keeper follows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array, Flags
from footfall.contact import Mode
from footfall.machines.goalkeeper.closed_form.bisector import bisector
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.keeper_law import KeeperLaw
from footfall.machines.goalkeeper.observables import (
    RADIUS,
    FieldObservables,
    observables_of,
)
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall_controllers.goalkeeper import BALL


@dataclass(frozen=True, eq=False)
class KeeperRun(RunView):
    """A run of the goalkeeper with what was read in it, and the law of its keeper."""

    observed: FieldObservables
    law: KeeperLaw

    @cached_property
    def bisector(self) -> Array:
        """OP of the angle's bisector, (N,) [m]."""
        return bisector(self.observed.ball)

    @cached_property
    def target(self) -> tuple[Array, Array]:
        """Target of the law for the keeper [m], and its rate [m/s], (N,) each.

        At the end of its path the listing's ball stands still at once: there is no rate there.
        """
        place, rate = self.law.target(self.observed.ball, self.observed.ball_velocity)
        rate[-1] = rate[-1] if self.observed.ball_velocity[-1].any() else np.nan
        return place, rate

    @property
    def lag(self) -> Array:
        """Place of the keeper less where the law wants it, (N,) [m]."""
        return self.observed.keeper - self.target[0]

    @property
    def saturated(self) -> Flags:
        """Rows in which the bisector is beyond the keeper's reach, (N,)."""
        return np.abs(self.bisector) > self.law.reach

    @property
    def acceleration(self) -> tuple[Array, Array]:
        """Middles of the steps [s] and mean accelerations of the keeper in them [m/s^2]."""
        middles = 0.5 * (self.time[1:] + self.time[:-1])
        return middles, np.diff(self.observed.keeper_speed) / np.diff(self.time)

    @property
    def ball_speed(self) -> Array:
        """Speed of the ball over the field, (N,) [m/s]."""
        return np.linalg.norm(self.observed.ball_velocity, axis=1)

    @property
    def slip(self) -> Array:
        """Speed with which the ball's lowest point slides over the grass, (N,) [m/s]; else NaN.

        The ball at the start is taken to lie on it.
        """
        wx, wy = self.data["v"].sel(velocity=["ball_ball_wx", "ball_ball_wy"]).to_numpy().T
        vx, vy = self.observed.ball_velocity.T
        touches = self.data["mode"].sel(contact=BALL).to_numpy() > Mode.OPEN
        touches[0] = True
        return np.where(touches, np.hypot(vx - RADIUS * wy, vy + RADIUS * wx), np.nan)

    @cached_property
    def first_obstacle(self) -> tuple[float, str] | None:
        """First touch of the ball with anything but the grass: time [s] and what; None without."""
        contacts = self.data["contact"].values.tolist()
        names = [name for name in contacts if "|" in name and BALL in name.split("|")]
        closed = self.data["mode"].sel(contact=names).to_numpy() > Mode.OPEN
        if not closed.any():
            return None
        row = int(closed.any(axis=1).argmax())
        (other,) = {*names[int(closed[row].argmax())].split("|")} - {BALL}
        return float(self.time[row]), other.rpartition("::")[2].replace("_", " ")


@dataclass(frozen=True, eq=False)
class KeeperRuns(RunViews[KeeperRun]):
    """All runs of a section, and the law of the keeper.

    bounded: whether the law is the scenario's; without it the goal and the bound of its place are
    the listing's, and there is no bound of speed and acceleration.
    """

    law: KeeperLaw
    bounded: bool


def read_keeper_runs(section: Section) -> KeeperRuns:
    """Read a section's runs."""
    control = section.scenario.controller
    bounded = isinstance(control, Goalkeeping)
    law = control if isinstance(control, Goalkeeping) else KeeperLaw()
    runs = read_runs(
        section,
        lambda run: KeeperRun(**vars(run), observed=observables_of(run.trajectory), law=law),
    )
    return KeeperRuns(section, runs, law, bounded)
