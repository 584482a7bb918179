"""Walks of the shipped compasses in the event-driven engine, and their plant to judge them by."""

import functools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from footfall.contact import Mode
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.hybrid_engine import hybrid
from footfall.machines.compass.model import FEET, parameters_of
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario


@functools.cache
def context(name, *settings):
    """A shipped scenario of the compass as its machine sees it; must not be changed."""
    scenario = load_scenario(f"compass/{name}", settings)
    return context_of(scenario, build_robot(scenario))


def closed_form(of):
    """The compass of a setting in closed form."""
    return Compass(parameters_of(of.model, of.contacts))


def walk(of, **changes):
    """Trajectory of a setting, changed, in the event-driven engine."""
    return hybrid(replace(of, **changes))


def states(data):
    """States [q; v] of all rows, (N, 8)."""
    return np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))


def standing(data):
    """The foot that sticks in every row, (N,)."""
    sticks = data["mode"].sel(contact=list(FEET)).to_numpy() == int(Mode.STICK)
    assert (sticks.sum(axis=1) == 1).all()
    return sticks.argmax(axis=1)


class Judge:
    """Answers of Drake's plant about states, which the event-driven engine never asks."""

    def __init__(self, of):
        self.dynamics = Dynamics(of.model, of.contacts)
        self.plant = of.model.plant
        self.mass = self.plant.CalcTotalMass(self.context)
        terrain = self.plant.GetFrameByName("terrain")
        self.R_WT = terrain.CalcRotationMatrixInWorld(self.context).matrix()
        self.weight_W = self.mass * self.plant.gravity_field().gravity_vector()
        self.weight_T = self.R_WT.T @ self.weight_W
        self._both = np.array([True, True])

    @property
    def context(self):
        return self.dynamics.context

    def put(self, state):
        self.dynamics.set_state(state)

    def momentum(self, p_WP=(0.0, 0.0, 0.0)):
        """Angular momentum about a point, along y of the world, and the linear one in T's axes."""
        found = self.plant.CalcSpatialMomentumInWorldAboutPoint(self.context, p_WP)
        return found.rotational()[1], (self.R_WT.T @ found.translational())[[0, 2]]

    def centre(self):
        return self.plant.CalcCenterOfMassPositionInWorld(self.context)

    def feet(self, v):
        """Gaps of the feet (2,), their places in the world (2, 3) and velocities [n, t] (2, 2)."""
        gap, p_WC = self.dynamics.gaps()
        rows = self.dynamics.contact_jacobian(self._both)
        velocity = (rows @ v).reshape(2, -1)[:, :2]
        return gap, p_WC, velocity

    def rows(self, data):
        """Answers about every row: feet, energies, momentum, and what turns it about its foot."""
        answers = []
        for state, foot in zip(states(data), standing(data), strict=True):
            self.put(state)
            gap, p_WC, velocity = self.feet(state[4:])
            spin, linear = self.momentum(p_WC[foot])
            moment = np.cross(self.centre() - p_WC[foot], self.weight_W)[1]
            energies = self.dynamics.kinetic_energy(), self.dynamics.potential_energy()
            answers.append((gap, p_WC, velocity, *energies, linear, spin, moment))
        names = ("gap", "p_WC", "velocity", "kinetic", "potential", "linear", "spin", "moment")
        columns = (np.array(column) for column in zip(*answers, strict=True))
        return SimpleNamespace(**dict(zip(names, columns, strict=True)))
