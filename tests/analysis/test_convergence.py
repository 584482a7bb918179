"""Orders in the time step: of errors that are known, and of a pendulum in two schemes."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.cli.command import footfall

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.analysis.convergence import Convergence, extrapolated, fitted
from footfall.analysis.runs import FAILED, Outcome
from footfall.errors import RunError, ScenarioError
from footfall.scenario.io import load_scenario
from footfall.workers import Workers

PENDULUM = """
<robot name="pendulum"><link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pivot" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit effort="0" velocity="99" lower="-9" upper="9"/></joint>
</robot>"""
ANGLE = '''
def angle(plant, context):
    """Angle of the pendulum"""
    return plant.GetPositions(context)[0]
'''
SWING = """
duration: 0.64
time_step: 0.02
directives:
- add_model: {name: pendulum, file: pendulum.urdf}
- add_weld: {parent: world, child: pendulum::base}
initial: {positions: {pivot: 1.0}}
observables: {angle: "angle.py:angle [rad]"}
analysis: !Convergence {steps: 4, measures: [angle_final]}
"""


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pendulum")
    for name, text in (("pendulum.urdf", PENDULUM), ("angle.py", ANGLE), ("swing.yaml", SWING)):
        (folder / name).write_text(text)
    return str(folder / "swing.yaml")


def analysed(scenario, *settings):
    loaded = load_scenario(scenario, settings)
    done = analyse_scenario(loaded, Checkpoint(), lambda _what, _share: None, Workers(1))
    return done.result


# with a constant M and forces of the position alone Moreau's step is the leapfrog's, of second
# order; Drake's is the semi-implicit Euler's
@pytest.mark.parametrize(("engine", "order"), [("moreau", 2.0), ("drake", 1.0)])
def test_a_pendulum_converges_at_the_order_of_the_scheme(pendulum, engine, order):
    data = analysed(pendulum, f"engine={engine}").data
    found, low, high = (data[f"order_angle_final{end}"].item() for end in ("", "_low", "_high"))
    # the next order of the error is 1 / 32 of it at the longest step
    assert found == pytest.approx(order, abs=0.05)
    assert low <= found <= high
    # (I + m l^2) th'' = -m g l sin th, by another method
    swing = solve_ivp(
        lambda _t, y: [y[1], -2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25) * math.sin(y[0])],
        (0.0, 0.64), [1.0, 0.0], rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    exact = swing.y[0, -1]
    values = data["angle_final"].to_numpy()[0]
    assert data["angle_final"].attrs["units"] == "rad"
    # the limit is nearer by the next order, but for what the fitted order is off
    assert abs(data["limit_angle_final"].item() - exact) < abs(values[-1] - exact) / 10.0


def made(errors, reference="", samples=1):
    """Carry a convergence out on metrics that are functions of the time step."""

    class Known:
        def __call__(self, point):
            step = point.change.values.get("time_step", 0.0)
            if step > 0.3:
                return Outcome(FAILED, "it falls").to_dict()
            return Outcome("done", "", {n: f(step) for n, f in errors.items()}).to_dict()

    class Context:
        duration, time_step = 1.0, 0.5

    analysis = AnalysisContext(runner=Known(), engine="moreau", workers=Workers(1))
    return Convergence(steps=6, reference=reference, samples=samples).run(Context, analysis)


def test_orders_and_limits_of_known_errors_are_found():
    result = made(
        {
            "first": lambda h: 3.0 + 0.1 * h,
            "third": lambda h: -2.0 + 5.0 * h**3,
            "same": lambda _h: 1.0,
            "rounding": lambda h: 1.0 + (1e-15 if h > 0.1 else 0.0),
        }
    )
    data, names = result.data, ("first", "third")
    assert [data[f"order_{name}"].item() for name in names] == pytest.approx([1, 3], abs=1e-9)
    assert [data[f"limit_{name}"].item() for name in names] == pytest.approx([3, -2], abs=1e-12)
    assert "order_same" not in data
    assert "order_rounding" not in data
    assert result.metrics["lowest_order"] == pytest.approx(1.0)
    # the first step, 0.5, fails and is left out
    assert data["success"].to_numpy()[0].tolist() == [0, 1, 1, 1, 1, 1]
    assert np.isnan(data["error_first"][0, 0])


def test_errors_are_from_a_reference_where_one_is_named():
    data = made({"reach": lambda h: 1.0 + h * h}, reference="drake").data
    assert data["error_reach"].to_numpy()[0, 1:] == pytest.approx(0.25 ** np.arange(2, 7))
    assert data["order_reach"].item() == pytest.approx(2.0)


def test_errors_are_root_mean_squares_over_steps_beside_each():
    seen = []

    def reach(h):
        seen.append(h)
        return 1.0 + h * (1.0 if len(seen) % 2 else -1.0)  # an error whose sign is chance

    data = made({"reach": reach}, reference="drake", samples=3).data
    beside = np.array(seen[:-1]).reshape(-1, 3)  # the last is the reference
    steps = data["time_step"].to_numpy()[1:]
    assert beside.mean(axis=1) == pytest.approx(steps)
    assert beside.std(axis=1) / steps == pytest.approx(0.22 / 3.0 * (2.0 / 3.0) ** 0.5)
    errors = data["error_reach"].to_numpy()[0, 1:]
    assert errors == pytest.approx(np.sqrt((beside**2).mean(axis=1)))
    assert data["order_reach"].item() == pytest.approx(1.0)
    assert data["reference_reach"].item() == 1.0
    assert np.isnan(data["error_reach"][0, 0])  # of a step that fails


def test_the_interval_holds_the_order_of_scattered_errors():
    # errors of order 1 with a scatter of a third: 95 % of the intervals hold the slope
    random, steps = np.random.default_rng(1), 0.5 ** np.arange(8)
    held = 0
    for _ in range(200):
        _, low, high = fitted(steps, steps * np.exp(0.3 * random.standard_normal(8)), 1.0)
        held += low <= 1.0 <= high
    assert 180 <= held <= 198  # binomial: 190 +- 3, within three deviations


def test_too_few_errors_have_no_order():
    nan = math.nan
    assert np.isnan(fitted(np.array([1.0, 0.5]), np.array([1e-30, 1.0]), 1.0)).all()
    assert np.isnan(fitted(np.array([1.0, 0.5]), np.array([1.0, 0.5]), 1.0)[1:]).all()
    assert math.isnan(extrapolated(np.array([1.0, 2.0]), nan, 2.0))


@pytest.mark.parametrize(
    ("settings", "fault", "says"),
    [
        (["analysis.steps=2"], ScenarioError, "give 3 to 20"),
        (["analysis.ratio=1"], ScenarioError, "more than 1"),
        (["analysis.engines=[morau]"], ScenarioError, "did you mean 'moreau'"),
        (["analysis.ratio=1.7"], ScenarioError, "not a whole number of steps"),
        (["analysis.measures=[angle_fina]"], ScenarioError, "did you mean 'angle_final'"),
        (["analysis.engines=[hybrid]"], RunError, "no run comes to its end.*hybrid"),
    ],
)
def test_what_has_no_order_is_told_in_one_line(pendulum, settings, fault, says):
    with pytest.raises(fault, match=says) as refused:
        analysed(pendulum, *settings)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("blank")
def test_the_command_prints_orders_and_writes_a_page(pendulum, tmp_path, capsys):
    out = tmp_path / "out"
    status, told, err = footfall(
        "converge", pendulum, "--steps", "4", "--workers", "1", "--out", out, capsys=capsys
    )
    assert status == 0, err
    assert "angle final" in told
    assert "95 % interval" in told
    assert "Orders" in (out / "report.html").read_text()
    status, _, err = footfall("converge", "compass/basin", capsys=capsys)
    assert (status, err.count("\n")) == (2, 1)
