"""Feet that take turns in Drake's engine: their contact is filtered, in the SceneGraph's context.

What is off is read from the filter itself, so that a context that is cloned or put back has it.
No system inside a diagram reaches the context of another one: the switch is thrown between two
steps, by the monitor of the simulator, and an attendant refuses to step when nobody does that.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from pydrake.geometry import CollisionFilterDeclaration, GeometryId, GeometrySet, SceneGraph
from pydrake.systems.framework import (
    Context,
    Diagram,
    DiagramBuilder,
    DiscreteValues,
    EventStatus,
    LeafSystem,
)

from footfall.arrays import Array
from footfall.engines.ports import ContactReport
from footfall.errors import RunError
from footfall.plants.contacts import ContactSet, terrain_of
from footfall.plants.contacts.swing_foot_filter import Pair, SwingFootFilter
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model


def add_foot_switch(
    builder: DiagramBuilder,
    scene_graph: SceneGraph,
    oracle: Model,
    contacts: ContactSet,
    match: Mapping[GeometryId, Sequence[GeometryId]],
    time_step: float,
) -> "FootSwitch | None":
    """Add what makes feet take turns to the builder of an engine, if its contacts ask for that.

    scene_graph: the engine's. oracle: the model that the contacts were collected from and are
    measured by; match: the engine's geometries for each of its own. time_step: of the plant [s].
    """
    if contacts.swing_foot_filter is None:
        return None
    attendant = builder.AddNamedSystem("attendant", Attendant(time_step))
    dynamics = Dynamics(oracle, contacts)
    return FootSwitch(contacts.swing_foot_filter, dynamics, scene_graph, match, attendant)


class FootSwitch:
    """Switches the contact of two feet with the ground; what is off is in the contexts alone."""

    def __init__(
        self,
        swing_foot_filter: SwingFootFilter,
        dynamics: Dynamics,
        scene_graph: SceneGraph,
        match: Mapping[GeometryId, Sequence[GeometryId]],
        attendant: "Attendant",
    ) -> None:
        """Take the rule, what measures the contacts, and what is switched; see add_foot_switch."""
        self._swing_foot_filter = swing_foot_filter
        self._dynamics = dynamics
        self._scene_graph = scene_graph
        self._query = scene_graph.get_query_output_port()
        inspector = scene_graph.model_inspector()
        self._ground = terrain_of(inspector)
        self._feet = [
            [
                own
                for geometry in foot.geometries
                for own in match[geometry]
                if not inspector.CollisionFiltered(own, self._ground)
            ]
            for foot in swing_foot_filter.feet
        ]
        self._attendant = attendant

    def start(self, engine: Diagram, context: Context, state: Array) -> None:
        """Switch as the rule says of the state [q; v] at which a motion begins.

        context: of the engine, in which the SceneGraph is.
        """
        self._dynamics.set_state(state)
        off = self._swing_foot_filter.off_at_start(*self._dynamics.gaps())
        self._switch(engine.GetMutableSubsystemContext(self._scene_graph, context), off)
        self._attendant.relieve(engine.GetMutableSubsystemContext(self._attendant, context))

    def after_step(self, engine: Diagram, context: Context, report: ContactReport) -> None:
        """Switch as the rule says of the contact report of the step that ended last.

        Gaps and places are those at its end; a foot has closed that had a normal impulse.
        """
        # points on the ground come first, and each is reported by itself
        closed = np.flatnonzero(report.impulse[:, 0] > 0.0)
        graph_context = engine.GetMutableSubsystemContext(self._scene_graph, context)
        before = self._off(graph_context)
        after = self._swing_foot_filter.off_after_step(before, report.gap, report.p_WC, closed)
        if after != before:
            self._switch(graph_context, after)
        self._attendant.relieve(engine.GetMutableSubsystemContext(self._attendant, context))

    def _off(self, graph_context: Context) -> Pair:
        inspector = self._query.Eval(graph_context).inspector()
        first, second = (inspector.CollisionFiltered(foot[0], self._ground) for foot in self._feet)
        return first, second

    def _switch(self, graph_context: Context, off: Pair) -> None:
        # asked for anew: a manager does not outlive that a context is put back
        manager = self._scene_graph.collision_filter_manager(graph_context)
        for foot, is_off in zip(self._feet, off, strict=True):
            between = GeometrySet(foot), GeometrySet(self._ground)
            declaration = CollisionFilterDeclaration()
            if is_off:
                manager.Apply(declaration.ExcludeBetween(*between))
            else:
                manager.Apply(declaration.AllowBetween(*between))


class Attendant(LeafSystem):
    """Counts the steps since the switch was last thrown; raises RunError before a second one."""

    def __init__(self, time_step: float) -> None:
        """Take the step of the plant [s]."""
        super().__init__()
        self._count = self.DeclareDiscreteState(1)
        self.DeclarePeriodicDiscreteUpdateEvent(time_step, 0.0, self._step)

    def relieve(self, context: Context) -> None:
        """Begin to count anew; context: of this system."""
        context.SetDiscreteState(self._count, np.zeros(1))

    def _step(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        count = context.get_discrete_state(self._count).get_value()[0]
        if count > 0.0:
            raise RunError(
                "nobody carries alternating_feet out in Drake's engine: call "
                "engine.watch(simulator) before the simulation starts."
            )
        discrete.set_value(self._count, np.ones(1))
        return EventStatus.Succeeded()
