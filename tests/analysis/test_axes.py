"""Axes of sweeps: what they read, and what they refuse in one line."""

import pytest

from footfall.analysis.axes import LogRange, Range, Values, read_axis, read_variants, unit_of
from footfall.analysis.distributions import Gaussian, Uniform, axis_of_samples
from footfall.analysis.runs import points_of, read_conditions
from footfall.analysis.sweep import Sweep
from footfall.errors import ScenarioError


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("friction=0.2:0.8:3", (0.2, 0.5, 0.8)),
        ("friction=0.8:0.2:3", (0.8, 0.5, 0.2)),
        ("gain=1:100:3:log", (1.0, 10.0, 100.0)),
        ("gain=1e-3, 2,-3", (1e-3, 2, -3)),
        ("moreau.impact_law=newton,poisson", ("newton", "poisson")),
        ("terrain.visible=true,false", (True, False)),
    ],
)
def test_an_axis_of_the_command_line_is_read(text, labels):
    path, values = read_axis(text)
    axis = values.axis(path)
    assert axis.name == text.partition("=")[0]
    assert axis.labels == pytest.approx(labels, rel=1e-15) if axis.is_numeric else labels
    assert [dict(change.values) for change in axis.changes] == [
        {axis.name: label} for label in axis.labels
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("friction", "write it as path=begin:end:count"),
        ("friction=", "write it as"),
        ("=1,2", "write it as"),
        ("friction=1:2", "write it as"),
        ("friction=1:2:3:4", "write it as"),
        ("friction=1:2:x", "write it as"),
        ("friction=1:2:1", "count is 1: give 2"),
        ("friction=1:1:5", "two different finite numbers"),
        ("friction=nan:1:5", "two different finite numbers"),
        ("friction=0:1:5:log", "no logarithms"),
        ("friction={a: 1}", "write it as"),
    ],
)
def test_what_is_no_axis_is_refused_in_one_line(text, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        read_axis(text)
    assert str(refused.value).startswith(f"--over {text}")
    assert "\n" not in str(refused.value)


def test_a_value_twice_or_none_is_refused():
    for values, says in (([], "has no values"), ([1.0, 2.0, 1.0], "a value twice")):
        with pytest.raises(ScenarioError, match=says):
            Values(values).axis("friction")


def test_variants_have_names():
    found = read_variants(["stiff:controller.kp=80", "plain:", "stiff:friction=0.5"])
    assert found == {"stiff": ["controller.kp=80", "friction=0.5"], "plain": []}
    for text in ("stiff", ":a=1", "stiff:a"):
        with pytest.raises(ScenarioError, match="write it as name:key=value"):
            read_variants([text])


def test_the_grid_has_every_combination_once_the_last_axis_fastest():
    sweep = Sweep(
        over={"b": Values([1, 2, 3]), "a": Range(0.0, 1.0, 2)}, variants={"v": ["c=3"]}, seeds=2
    )
    axes = sweep.axes(seed=0)
    assert [axis.name for axis in axes] == ["variant", "a", "b", "seed"]
    points = points_of(["moreau", "drake"], axes)
    assert len({point.name for point in points}) == len(points) == 2 * 1 * 2 * 3 * 2
    assert points[1].change.values == {"a": 0.0, "b": 1, "seed": 1}
    assert points[1].change.settings == ("c=3",)


def test_a_latin_hypercube_has_one_sample_in_every_share():
    drawn = {"a": Uniform(min=2.0, max=4.0), "b": Uniform(min=0.0, max=1.0)}
    axis = axis_of_samples(drawn, 20, "latin-hypercube", seed=3)
    for path, low, width in (("a", 2.0, 2.0), ("b", 0.0, 1.0)):
        shares = sorted(int(20 * (c.values[path] - low) / width) for c in axis.changes)
        assert shares == list(range(20))
    again = axis_of_samples(drawn, 20, "latin-hypercube", seed=3)
    assert again == axis
    assert axis_of_samples(drawn, 20, "latin-hypercube", seed=4) != axis


def test_random_samples_follow_their_distribution():
    axis = axis_of_samples({"a": Gaussian(mean=1.0, stddev=2.0)}, 4000, "random", seed=0)
    values = [change.values["a"] for change in axis.changes]
    mean = sum(values) / 4000
    # the mean of 4000 draws is off by 2 / sqrt(4000) = 0.03, the deviation by 0.02
    assert mean == pytest.approx(1.0, abs=0.1)
    assert (sum((x - mean) ** 2 for x in values) / 4000) ** 0.5 == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"samples": 3}, "samples and what to draw together"),
        ({"seeds": -1}, "seeds is -1"),
        ({"sampling": "sobol"}, "choose one of"),
        ({"engines": ["morau"]}, "did you mean 'moreau'"),
        ({"engines": ["moreau", "moreau"]}, "one twice"),
        ({"success": ["x_final = 3"]}, "is no condition"),
        ({"success": ["x > nan"]}, "is no condition"),
    ],
)
def test_what_is_no_sweep_is_refused(options, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        Sweep(**options)
    assert "\n" not in str(refused.value)


def test_conditions_say_how_they_are_not_met():
    low, high = read_conditions(["x_final > 0.5", "slip<=1e-3"])
    assert (low.unmet({"x_final": 0.6}), high.unmet({"slip": 1e-3})) == ("", "")
    assert low.unmet({"x_final": 0.5}) == "x_final is 0.5, not > 0.5"
    assert low.unmet({}) == "no x_final, wanted > 0.5"


def test_units_follow_from_paths_where_they_can():
    paths = ("pushes.0.force.2", "duration", "pushes.3.start", "terrain.slope_deg", "friction")
    assert [unit_of(path) for path in paths] == ["N", "s", "s", "deg", ""]


def test_a_logarithmic_axis_has_its_ends_exactly():
    labels = LogRange(0.1, 0.7, 13).axis("x").labels
    assert (labels[0], labels[-1]) == (0.1, 0.7)
