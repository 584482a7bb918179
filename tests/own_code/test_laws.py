"""Solvers, laws and schemes of one's own: those of the guide give what is shipped, to the bit."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tests.cli.command import footfall
from tests.engines.tiny import STOPPED, tiny

import footfall as ff
from footfall.engines.own import Python
from footfall.errors import FootfallError
from footfall.run import run_scenario
from footfall.scenario.io import changed, load_scenario
from footfall.solvers import ContactNotSolved, natural_map_residual, solve
from footfall.solvers.own_law import law_residual, solve_by_fixed_point, solve_by_newton
from footfall.textbook.free_body import FreeBody
from footfall.trajectory import Status, Trajectory

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "own_law.md"
ACROSS = "verify/incline_across"  # a box with four corners that slides and turns aside
RHO = 0.1
SHIPPED = {"moreau.solver": "fixed-point", "moreau.prox_parameter": RHO}


@pytest.fixture
def files(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    for name, block in zip(("laws.py", "schemes.py"), blocks, strict=True):
        (tmp_path / name).write_text(block)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def law(name, file="laws.py", **parameters):
    return Python(file, name, parameters)


MOREAU = law("moreau", "schemes.py")


def run(name, values, **others):
    return ff.load(name, **others, **values).run(engine="moreau")


@pytest.mark.parametrize(
    ("scenario", "shipped", "own", "judge"),
    [
        (ACROSS, SHIPPED, {"moreau.solver": law("fixed_point", parameter=RHO)}, True),
        (ACROSS, SHIPPED, SHIPPED | {"moreau.friction_law": law("disc")}, False),
        (
            "verify/bouncing_ball",
            {"moreau.impact_law": "poisson"},
            {"moreau.impact_law": law("poisson")},
            True,
        ),
        (ACROSS, {}, {"moreau.scheme": MOREAU}, True),
    ],
)
@pytest.mark.usefixtures("files")
def test_the_guides_give_what_is_shipped_to_the_bit(scenario, shipped, own, judge):
    duration = 0.12 if scenario == ACROSS else 0.4  # where the ball has bounced
    both = [run(scenario, values, duration=duration).data for values in (shipped, own)]
    assert len(both[0]["time"]) > 100
    # a law of friction of one's own has a residual of its own
    for name in ("q", "v", "impulse", "contact_velocity", *(["residual"] if judge else [])):
        assert np.array_equal(*(data[name].to_numpy() for data in both)), name
    assert float(abs(both[0]["impulse"]).max()) > 0.0


@pytest.mark.usefixtures("files")
def test_a_bound_on_friction_is_felt_and_a_pyramid_holds_each_axis_by_itself():
    values = {"moreau.friction_law": law("disc", most=1e-4)}
    impulse = run(ACROSS, values, duration=0.05).data["impulse"].to_numpy()[1:]
    assert np.hypot(impulse[..., 1], impulse[..., 2]).max() == pytest.approx(1e-4, rel=1e-9)
    values = {"moreau.friction_law": law("pyramid")}
    whole = run(ACROSS, values, duration=0.05).data["impulse"].to_numpy()[1:].sum(axis=1)
    # across the slope it slides; down the slope of 20 degrees, where Coulomb's box creeps, it rests
    assert whole[:, 2] == pytest.approx(-0.55 * whole[:, 0], rel=1e-6)
    assert abs(whole[:, 1]) == pytest.approx(np.tan(np.radians(20.0)) * whole[:, 0], rel=1e-6)


@pytest.mark.usefixtures("files")
def test_a_scheme_of_second_order_errs_a_quarter_with_half_the_step():
    end, errors = 0.4, []
    exact = FreeBody(I1=0.016667, I2=0.028333, I3=0.041667, a=10.0, b=6.0).attitude(end)
    for dt in (4e-3, 2e-3):
        values = {"moreau.scheme": law("second_order", "schemes.py")}
        q = run("verify/tumbling", values, duration=end, time_step=dt).data["q"].to_numpy()[-1]
        errors.append(2.0 * np.arccos(abs(q[:4] @ exact)))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] < 1e-3


BAD = """
import numpy as np
def short(W, q, mu, dim, guess): return np.zeros(3)
def nothing(W, q, mu, dim, guess): return None
def nan(W, q, mu, dim, guess): return np.full(q.size, np.nan)
def fails(W, q, mu, dim, guess):
    return guess[q.size]
def wrong(W, q, mu, dim, guess): return 0.001 * np.arange(1.0, q.size + 1.0)
def late(W, gamma, mu, e_n, e_t, dim): return gamma / 0
def long(x, r_n, mu): return [0.0]
def half(x, r_n, mu): return 0.5 * x
def ring(x, r_n, mu): return mu * r_n * x / np.linalg.norm(x)
def skew(x, r_n, mu): return np.array([x[0] + x[1], 0.0])
def radial(x, r_n, mu): return x * min(1.0, mu * r_n / abs(x).max())
def plain(q, v, dt, dynamics): return q
def one(q, v, dt, dynamics):
    yield q
def twice(q, v, dt, dynamics):
    yield q, v * 0
    yield q
def ends_badly(q, v, dt, dynamics):
    yield q, v * 0
    return q[:2]
def asks(q, v, dt, dynamics):
    yield dynamics.advance(q[:2], v, dt), v * 0
def weighs(q, v, dt, dynamics):
    yield q, dynamics.mass_matrix(q[:2]) @ v
def pushes(q, v, dt, dynamics):
    yield q, dynamics.force(q, v[:1])
"""
NOT_LOADED = {
    "no such file": ("solver", "none.py", "fixed_point", "cannot read the Python file none.py"),
    "no such function": ("solver", "laws.py", "fixed_pint", "did you mean 'fixed_point'?"),
    "no name": ("solver", "laws.py", "", "moreau.solver.name: name a function"),
    "no function": ("friction_law", "laws.py", "math", "moreau.friction_law.name: name a func"),
    "other arguments": ("solver", "laws.py", "disc", "it is called as disc(W, q, mu, dim, guess)"),
    "no generator": ("scheme", "bad.py", "plain", "plain in"),
}
AT_A_STEP = {
    "short": ("solver", "short", "it returns an array (3,), but must return (12,)"),
    "nothing": ("solver", "nothing", "moreau.solver: it returns"),
    "nan": ("solver", "nan", "it returns a NaN or an infinite number"),
    "fails": ("solver", "fails", "bad.py:7: IndexError"),
    "one": ("scheme", "one", "it must yield two arrays: positions, a force"),
    "twice": ("scheme", "twice", "it yields twice in a step"),
    "ends badly": ("scheme", "ends_badly", "an array (2,), but must return (7,)"),
    "asks": ("scheme", "asks", "bad.py:25: ValueError: dynamics takes q (7,), not (2,)"),
    "weighs": ("scheme", "weighs", "bad.py:27: ValueError: dynamics takes q (7,), not (2,)"),
    "pushes": ("scheme", "pushes", "bad.py:29: ValueError: dynamics takes v (6,), not (1,)"),
}


@pytest.mark.parametrize("name", NOT_LOADED)
def test_what_is_no_such_function_is_refused_when_the_scenario_is_loaded(name, files):
    (files / "bad.py").write_text(BAD)
    field, file, function, words = NOT_LOADED[name]
    with pytest.raises(FootfallError, match=re.escape(words)) as refused:
        ff.load(ACROSS, **{f"moreau.{field}": law(function, file)})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", AT_A_STEP)
def test_what_a_step_gets_that_is_no_answer_ends_the_run_in_one_line(name, files):
    (files / "bad.py").write_text(BAD)
    field, function, words = AT_A_STEP[name]
    trajectory = run(ACROSS, {f"moreau.{field}": law(function, "bad.py")}, duration=0.01).trajectory
    assert trajectory.status is Status.FAILED
    assert words in trajectory.message
    assert "\n" not in trajectory.message


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("long", "it returns an array (1,), but must return (2,)"),
        ("half", "no nearest points of a convex set: f(f(x)) is not f(x)"),
        ("ring", "no nearest points of a convex set: the way from f(x)"),
        ("skew", "no nearest points of a convex set: the way from f(x)"),  # a projection, obliquely
        ("radial", "no nearest points of a convex set: the way from f(x)"),  # onto a square
    ],
)
def test_a_law_of_friction_that_is_no_projection_is_refused_before_the_first_step(
    name, words, files
):
    (files / "bad.py").write_text(BAD)
    with pytest.raises(FootfallError, match=re.escape(words)) as refused:
        run(ACROSS, {"moreau.friction_law": law(name, "bad.py")})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("impact_law", ["newton", "chatterjee-ruina"])
@pytest.mark.parametrize("machine", ["box", "rod with dry joint at its stop"])
def test_a_wrong_answer_is_never_taken(machine, impact_law, files):
    (files / "bad.py").write_text(BAD)
    scenario = load_scenario(ACROSS)
    if machine != "box":
        text = STOPPED.format(effort=1.0, damping=0.0)
        moving = {"positions": {"swing": 0.5}, "velocities": {"swing": 1.0}}
        scenario = tiny(files, text, welded="base", joint_friction={"swing": 0.1}, **moving)
    values = {"moreau.solver": law("wrong", "bad.py"), "moreau.impact_law": impact_law}
    error = run_scenario(changed(scenario, values | {"duration": 0.01}), "wrong", "moreau").error
    assert isinstance(error, ContactNotSolved)
    problem, best = error.problem, error.best
    W, q, mu, dim = problem.W, problem.q, problem.mu, problem.dim
    given, rows = 0.001 * np.arange(1.0, q.size + 1.0), np.arange(q.size)
    if machine != "box" and impact_law == "newton":  # a stop has its row n, a dry joint its row t
        rows = np.array([0, dim + 1])
    else:
        assert best.residual == natural_map_residual(W, q, mu, dim, best.r) > 1e-3
    assert best.r[rows] == pytest.approx(given[rows], abs=1e-15)
    assert best.u[rows] == pytest.approx((W @ best.r + q)[rows], abs=1e-15)
    assert not np.delete(best.r, rows).any()


@pytest.mark.parametrize(
    ("values", "engine", "words"),
    [
        ({"moreau.solver": law("fixed_point")}, "drake", "knows no solver or law of your own"),
        ({"moreau.friction_law": law("disc"), "moreau.impact_law": "poisson"}, "", "knows only"),
        ({"moreau.friction_law": law("disc"), "moreau.solver": "newton"}, "", "no friction_law of"),
        ({"moreau.friction_law": law("disc"), "static_friction": 0.9}, "moreau", "no static_"),
        ({"moreau.scheme": MOREAU, "moreau.recover_gaps": True}, "moreau", "recovers no gaps"),
        ({"moreau.friction_law": "column"}, "", "choose one of coulomb, or !Python"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("files")
def test_what_does_not_go_together_is_refused_in_one_line(values, engine, words):
    with pytest.raises(FootfallError, match=words) as refused:
        ff.load(ACROSS, **values).run(engine=engine or "moreau")
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("files")
def test_a_rollout_refuses_a_scheme_and_takes_a_law():
    with pytest.raises(FootfallError, match=r"moreau\.scheme"):
        ff.rollout(ff.load(ACROSS, **{"moreau.scheme": MOREAU}))
    values = {"moreau.impact_law": law("poisson"), "duration": 0.1}
    many = ff.rollout(ff.load("verify/bouncing_ball", **values), parameters={"restitution": [0.5]})
    alone = run("verify/bouncing_ball", values | {"restitution": 0.5}).data["q"].to_numpy()
    assert np.array_equal(many["q"].to_numpy().reshape(alone.shape), alone)


def random_problem(seed, dim, count=3):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(count * dim, count * dim + 2))
    mu = rng.uniform(0.1, 1.0, count)
    return J @ J.T, J @ rng.normal(size=J.shape[1]), mu, dim


@pytest.mark.parametrize("dim", [2, 3])
def test_the_disc_by_its_projection_is_coulombs_law(dim):
    """Impulses are unique where W is regular and mu small enough; the chain finds the same."""
    for seed in range(5):
        W, q, mu, _ = random_problem(seed, dim)
        mu *= 0.3

        def disc(i, x, normal, mu=mu):
            length = np.linalg.norm(x)
            return x if length <= mu[i] * normal else x * (mu[i] * normal / length)

        expected = solve(W, q, mu, dim)
        assert law_residual(W, q, dim, expected.r, disc) < 1e-9
        r, residual, _ = solve_by_newton(W, q, dim, np.zeros(q.size), disc, 1e-10, 0)
        if residual > 1e-10:
            rho = 1.0 / np.linalg.norm(W, 2)
            r, _ = solve_by_fixed_point(W, q, dim, r, disc, 1e-10, 0, rho)
        assert r == pytest.approx(expected.r, abs=1e-7 * np.abs(expected.r).max())
        assert natural_map_residual(W, q, mu, dim, r) < 1e-8


@pytest.mark.usefixtures("blank")
def test_a_run_keeps_the_code_of_its_laws_and_goes_again_from_its_folder(files, capsys):
    setting = (
        "moreau.solver=!Python {file: laws.py, name: fixed_point, parameters: {parameter: 0.1}}"
    )
    asked = ("--set", "duration=0.02", "--set", setting)
    assert footfall("run", ACROSS, *asked, "--out", "out", capsys=capsys)[0] == 0
    told = json.loads((files / "out" / "provenance.json").read_text())["code"]["moreau.solver"]
    assert told["name"] == "fixed_point"
    assert told["parameters"] == {"parameter": 0.1, "tolerance": 1e-10}  # defaults as well
    assert (files / "out" / "code" / "laws.py").read_text() == (files / "laws.py").read_text()
    (files / "laws.py").unlink()
    assert footfall("run", "out/scenario.yaml", "--out", "again", capsys=capsys)[0] == 0
    both = [Trajectory.load(files / name / "trajectory.nc").data for name in ("out", "again")]
    assert np.array_equal(*(data["impulse"].to_numpy() for data in both))
