"""The published jump in engines that know nothing of jumps: rigid and compliant ground, by steps.

What they are held against is the event-driven jump.
"""

import numpy as np
import pytest
from tests.machines.hopper.jumps import GRAVITY, analysis
from tests.scenario.runs import run

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.contact import Mode
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.model import POINTS
from footfall.machines.hopper.observables import jump_of, states_of
from footfall.scenario.io import load_scenario, with_settings
from footfall.trajectory import Status
from footfall.workers import Workers

QUANTITIES = (
    *("reach", "separation_time", "landing_time", "end_time", "spin"),
    *("landing_impulse_t", "landing_impulse_n"),
)
PHASES = ["stick", "slip-", "flight", "slip+"]
DRAKE = ("drake-sap", "drake-lagged", "drake-similar")


def jump(name, engine, *settings):
    """The jump of a run, and its metrics."""
    found = run(f"hopper/{name}", engine, *settings)
    return jump_of(found.trajectory, Hopper(GRAVITY[name])), found


# --- the jump, phase by phase --------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAVITY)
def test_rigid_contact_goes_through_the_same_phases(name):
    exact, found = jump(name, "hybrid"), jump(name, "moreau")
    assert [str(one.phase) for one in exact[0].intervals] == PHASES
    assert [str(one.phase) for one in found[0].intervals] == PHASES
    assert exact[0].lands == found[0].lands == "Q"
    assert not found[0].why
    for one, other in zip(exact[0].intervals, found[0].intervals, strict=True):
        # an event is seen up to a step late; the one that it brings about is as late
        assert other.start == pytest.approx(one.start, abs=2e-3)
    # P slides at 1.1 m/s and Q comes down at 2.5: some steps of that
    assert found[0].distance == pytest.approx(exact[0].distance, abs=5e-3)


@pytest.mark.parametrize(
    ("engine", "again"),
    [
        ("drake-sap", True),
        ("drake-lagged", False),
        pytest.param("drake-similar", True, marks=pytest.mark.slow),
    ],
)
def test_a_jump_in_drakes_contact_is_near_the_rigid_one_and_valid_where_nothing_is_lifted(
    engine, again
):
    told, _ = jump("report", engine, "time_step=2.5e-4")
    assert told.why.startswith("P leaves the ground again") == again
    # a centimetre of a yielding ground, and 15 ms that P lands later on it
    assert told.reach == pytest.approx(0.1254, abs=0.01)
    assert told.impact == pytest.approx(0.3541, abs=0.02)


# --- rest ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["hybrid", "moreau"])
def test_at_rest_nothing_moves_and_the_ground_bears_the_weight(engine):
    found = run("hopper/rest", engine)
    data = found.trajectory.data
    assert found.trajectory.status is Status.DONE
    # rounding, grown at the pose's own 9.8 1/s for 0.2 s
    assert np.abs(data["v"].to_numpy()).max() < 1e-11
    impulse = data["impulse"].sel(contact=POINTS[0]).to_numpy()[1:]
    assert impulse[:, 0] == pytest.approx(6.0 * 1e-3, abs=1e-12)
    assert np.abs(impulse[:, 1]).max() < 1e-12
    assert (data["mode"].sel(contact=POINTS[0]).to_numpy()[1:] == int(Mode.STICK)).all()


def test_on_a_yielding_ground_it_sinks_by_its_weight():
    metrics = run("hopper/rest", "drake-sap").metrics
    # 6 N on 3e6 1/s^2 times 0.6 kg, and a step's fall of 1e-5 m more while it swings in
    assert -metrics["min_gap"] == pytest.approx(6.0 / 1.8e6, abs=1e-5)
    assert metrics["standing_force"] == pytest.approx(6.0, rel=0.01)
    # the pose is unstable, and 3e-6 m are enough to begin with
    assert 1e-7 < metrics["standing_motion"] < 1e-2


# --- convergence ---------------------------------------------------------------------------------


def orders(name, steps, samples):
    """Orders of all quantities in Moreau's engine, and errors (quantity, step)."""
    asked = (
        f"analysis=!Convergence {{steps: {len(steps)}, samples: {samples}, reference: hybrid}}",
        "engine=moreau",
        f"time_step={steps[0]}",
    )
    measures = f"analysis.measures=[{', '.join(QUANTITIES)}]"
    scenario = with_settings(load_scenario(f"hopper/{name}", asked), [measures], name)
    silent = lambda _what, _share: None  # noqa: E731
    data = analyse_scenario(scenario, Checkpoint(), silent, Workers(1)).result.data.isel(engine=0)
    return (
        {quantity: float(data[f"order_{quantity}"]) for quantity in QUANTITIES},
        {quantity: data[f"error_{quantity}"].to_numpy() for quantity in QUANTITIES},
    )


COARSE = [2e-3, 1e-3, 5e-4, 2.5e-4]
# The spin is of all steps, and the distance nearly so: their errors scatter little. Where in a step
# an event falls is chance: the rms of four errors that are spread over a step scatters by a fifth,
# which over a factor of 8 in the step moves the slope by a fifth as well
AWAY = {"spin": 0.06, "reach": 0.1}


def check_orders(name, steps, samples, away, by_quantity):
    order, error = orders(name, steps, samples)
    for quantity in QUANTITIES:
        near = by_quantity.get(quantity, away)
        assert order[quantity] == pytest.approx(1.0, abs=near), quantity
    if name == "tracked":
        return  # the loop lets an error grow
    # a step of 2 ms or less: times within a step, the distance within a step of P and Q together
    for quantity in ("separation_time", "landing_time", "end_time"):
        assert (error[quantity] < np.array(steps)).all()
    assert (error["reach"] < 2.5 * np.array(steps)).all()


# in closed loop the law of the torque is another in flight, and P leaves where its force vanishes
@pytest.mark.parametrize(
    "name",
    [
        "report",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("report_as_run", "tracked")),
    ],
)
def test_the_rigid_engine_tends_to_the_event_driven_jump_with_order_one(name):
    check_orders(name, COARSE, 4, 0.2, AWAY)


@pytest.mark.slow
@pytest.mark.longest
def test_the_order_holds_over_a_factor_of_sixty_four():
    # of ten the rms scatters by an eighth, and the factor is larger: 0.1 and less
    check_orders("report", [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5], 10, 0.1, {})


def test_a_run_of_the_analysis_is_that_of_the_scenario():
    # two loops that drive the same engine: that of analyses, and the one that records everything
    simulation = analysis("report").factory.simulation("moreau", {"time_step": 1e-3})
    rows = simulation.rows(simulation.context.initial_state)
    mine = [(row.state, row.contacts().mode.copy()) for row in rows]
    theirs = run("hopper/report", "moreau").trajectory.data
    assert np.array_equal(np.array([state for state, _ in mine]).T, states_of(theirs))
    assert np.array_equal(np.array([mode for _, mode in mine]), theirs["mode"])
