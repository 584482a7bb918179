"""The page of a sweep: figures by its shape or as it asks, what was found, and its size."""

import numpy as np
import pytest

from footfall.analysis.axes import axis_of_values, axis_of_variants
from footfall.analysis.distributions import Uniform, axis_of_samples
from footfall.analysis.figures import (
    Lines,
    Map,
    Overlay,
    Spread,
    SuccessMap,
    SuccessRate,
    dumped,
    read,
)
from footfall.analysis.runs import Outcome, dataset_of, with_series, with_success
from footfall.analysis.shares import wilson
from footfall.errors import RunError
from footfall.report.sweep.contents import answers, chosen, measures_of, sweep_contents
from footfall.report.tables import MINUS, NONE, Table, number

FRICTION = axis_of_values("friction", [0.1, 0.2, 0.4], logarithmic=True)
SLOPE = axis_of_values("terrain.slope_deg", [-5.0, 0.0])
SEEDS = axis_of_values("seed", range(4))


def made(*axes, engines=("moreau",), fails=0, series=(), measures=()):
    """A dataset of numbers that follow from their place; the first few runs fail."""
    count = len(engines) * int(np.prod([len(axis.labels) for axis in axes]))
    told = {"series_q.x": ("rad", "")}
    outcomes = [
        Outcome(
            "done", "", {"reach": float(k), "same": 1.0}, told, {one: [k] * 201 for one in series}
        )
        for k in range(count)
    ]
    meanings = {"reach": ("m", "how far it gets")}
    data = dataset_of(engines, axes, outcomes, meanings, measures)
    data = with_success(data, ["failed: it fell"] * fails + [""] * (count - fails))
    data = with_series(data, outcomes, series, 1.0)
    return data.assign_attrs(figures=dumped([]))


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (made(FRICTION), [Lines]),
        (made(FRICTION, fails=1), [SuccessRate, Lines]),
        (made(FRICTION, SLOPE), [Map]),
        (made(FRICTION, SLOPE, fails=1), [Map, Map]),
        (made(FRICTION, SEEDS, fails=2), [SuccessRate, Spread]),
        (made(axis_of_variants({"a": [], "b": []}), engines=("moreau", "drake")), [Spread]),
        (
            made(axis_of_samples({"x": Uniform(0, 1)}, 9, "random", 0), fails=1),
            [SuccessRate, Spread],
        ),
        (
            made(
                axis_of_samples({"x": Uniform(0, 1), "y": Uniform(0, 1)}, 9, "random", 0), fails=1
            ),
            [SuccessMap, Spread, Spread],
        ),
        (made(engines=("moreau", "drake"), series=("com.z",)), [Spread, Overlay]),
    ],
)
def test_figures_fit_the_shape(data, kinds, plotted):
    assert [type(one) for one in chosen(data)] == kinds
    assert len(sweep_contents(data, {}).figures) == len(plotted) == len(kinds)


def test_lines_go_through_what_was_found(plotted):
    data = made(FRICTION, engines=("moreau", "closed-form"))
    data = data.assign(
        border_friction=("engine", [0.15, np.nan], {"long_name": "border"}),
        best_friction_of_reach=("engine", [0.3, np.nan], {"long_name": "place"}),
        best_reach_over_friction=("engine", [9.0, np.nan], {"long_name": "best"}),
    )
    data.attrs["figures"] = dumped([Lines("reach", reference="closed-form")])
    contents = sweep_contents(data, {})
    (panel,) = plotted[0].axes
    lines = {line.get_label(): line for line in panel.lines}
    assert lines["closed-form"].get_ydata().tolist() == [3.0, 4.0, 5.0]
    assert lines["moreau"].get_ydata().tolist() == [0.0, 1.0, 2.0]
    assert panel.get_xscale() == "log"
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("friction", "reach [m]")
    points = [line.get_xydata().tolist() for line in panel.lines]
    assert [[0.3, 9.0]] in points
    assert [[0.15, 0.0], [0.15, 1.0]] in points
    table = contents.tables[-1]
    assert ("border friction", "moreau", "0.15, succeeds above") in table.rows


def test_axes_are_called_as_the_sweep_says(plotted):
    data = made(FRICTION, axis_of_values("controller.k", [1.0, 2.0]))
    data["controller.k"].attrs.update(label="stiffness", units="N/m")
    data = data.assign(
        {
            "best_controller.k_of_reach": ("friction", [1.0, 2.0, 1.0], {"long_name": "place"}),
            "best_reach_over_controller.k": ("friction", [1.0, 3.0, 4.0], {"long_name": "best"}),
        }
    )
    asked = [Lines("reach"), Lines("reach", over="controller.k", figure="Figure 11")]
    data.attrs["figures"] = dumped(asked)
    contents = sweep_contents(data, {})
    first, second = (figure.axes[0] for figure in plotted)
    legend = [line.get_label() for line in first.lines]
    assert {"stiffness 1 N/m", "stiffness 2 N/m"} <= set(legend)
    assert second.get_xlabel() == "stiffness [N/m]"
    assert [one.title for one in contents.figures] == [
        "reach over friction",
        "Figure 11: reach over stiffness",
    ]
    assert "stiffness: 2" in contents.notes[0]
    found = next(table for table in contents.tables if table.title == "Found along axes")
    assert found.rows[0][0] == "best stiffness of reach"


def test_a_map_of_success_counts_every_run_once(plotted):
    drawn = {"push": Uniform(-1.0, 1.0), "friction": Uniform(0.2, 0.8)}
    data = made(axis_of_samples(drawn, 40, "random", 1), engines=("moreau", "drake"), fails=50)
    data.attrs["figures"] = dumped([SuccessMap("push", "friction", fields=3)])
    (figure,) = sweep_contents(data, {}).figures
    # the first 40 of 80 runs are those of the first engine
    assert "moreau 0 of 40 and drake 30 of 40" in figure.alt
    first, second = plotted[0].axes[:2]
    for panel, succeed in ((first, 0), (second, 30)):
        told = [tuple(map(int, text.get_text().split("/"))) for text in panel.texts]
        assert np.sum(told, axis=0).tolist() == [succeed, 40]
        marks = {line.get_label(): len(line.get_xdata()) for line in panel.lines}
        assert marks == {"succeeds": succeed, "does not": 40 - succeed}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0, 1, 1, 0, 1, 0], ["goal", "saved"]),
        ([0, 3, 3, 0, 1, 0], ["goal", "saved", "on the way"]),
        ([0, 1, 2, 0, 1, 0], None),  # no word for 2
        ([0, 0.5, 1, 0, 1, 0], None),
    ],
)
def test_codes_have_colours_and_words_of_their_own(values, words, plotted):
    data = made(FRICTION, SLOPE)
    data["reach"] = data["reach"].dims, np.reshape(values, data["reach"].shape)
    data["reach"].attrs.update(long_name="0: goal, 1: saved, 3: on the way", units="")
    data.attrs["figures"] = dumped([Map("reach")])
    sweep_contents(data, {})
    panel, bar = plotted[0].axes
    labels = [text.get_text() for text in bar.get_yticklabels()]
    assert (labels == words) if words else not {"goal", "saved"} & set(labels)
    (mesh,) = panel.collections
    colours = mesh.cmap(mesh.norm(np.array(values, dtype=float)))
    assert len(np.unique(colours, axis=0)) == len(set(values))


@pytest.mark.usefixtures("blank")
def test_reasons_are_counted():
    runs, table = sweep_contents(made(FRICTION, SEEDS, fails=5), {}).tables
    assert len(runs.rows) == 12
    assert runs.rows[5][0] == "friction 0.2, seed 1"
    assert table.rows == [("failed: it fell", "5")]


@pytest.mark.usefixtures("blank")
def test_reasons_that_differ_in_their_numbers_are_one():
    data = made(FRICTION, SEEDS)
    texts = [f"failed: it fell at t = {0.1 * k:.3g} s" for k in range(4)]
    texts += [f"no reach, wanted > 9: it left at {k} m" for k in range(8)]
    data["reason"] = (data["reason"].dims, np.array(texts).reshape(data["reason"].shape))
    table = sweep_contents(data, {}).tables[-1]
    wanted = ("no reach, wanted > 9: it left at … m", "8")
    assert table.rows == [wanted, ("failed: it fell at t = … s", "4")]


def test_borders_around_a_value_are_drawn_like_the_line_and_have_their_error(plotted):
    data = made(FRICTION, engines=("moreau", "drake"))
    for side, place in (("below", 0.15), ("above", np.nan)):
        data[f"border_friction_{side}"] = ("engine", [place, 0.3], {"long_name": side})
        data[f"border_friction_{side}_error"] = ("engine", [0.01, 0.02], {"long_name": "half"})
    data.attrs["figures"] = dumped([Lines("reach")])
    contents = sweep_contents(data, {})
    (panel,) = plotted[0].axes
    vertical = [line for line in panel.lines if len(set(line.get_xdata())) == 1]
    own = {line.get_label(): line.get_color() for line in panel.lines}
    places = {(line.get_xdata()[0], line.get_color()) for line in vertical}
    assert {(0.15, own["moreau"]), (0.3, own["drake"])} <= places
    rows = contents.tables[-1].rows
    assert ("border friction below", "moreau", "0.15 ± 0.01, succeeds above") in rows
    assert [row[2] for row in rows if row[0].endswith("above")][1] == "0.3 ± 0.02, succeeds above"
    assert contents.notes[0].startswith("6 runs (engine: 2, friction: 3)")


def test_a_terminal_is_told_borders_with_their_errors_and_units_then_what_is_best():
    data = made(FRICTION, SLOPE)
    dims = ("engine", "friction")
    data["border_terrain.slope_deg"] = dims, [[-1.25, np.nan, -2.5]], {"long_name": "border"}
    data["border_terrain.slope_deg_error"] = dims, [[0.125, np.nan, 0.5]], {"long_name": "half"}
    (table,) = answers(data)
    assert table.rows[:3] == [
        ("border terrain.slope deg", "friction 0.1", f"{MINUS}1.25 ± 0.12 deg, succeeds above"),
        ("border terrain.slope deg", "friction 0.2", NONE),
        ("border terrain.slope deg", "friction 0.4", f"{MINUS}2.5 ± 0.5 deg, succeeds above"),
    ]
    assert table.rows[3:] == [
        ("largest reach", "friction 0.4, slope deg 0 deg", "5 m"),
        ("smallest reach", "friction 0.1, slope deg -5 deg", "0 m"),
    ]
    assert "none within the axis" in table.note


def test_without_a_search_the_steps_of_the_grid_are_borders_and_failures_no_best():
    # the first 3 of 6 runs fail: at friction 0.1, and at 0.2 where the slope is the first
    found, reasons = answers(made(FRICTION, SLOPE, fails=3))
    assert found.rows == [
        ("border friction", "slope deg -5 deg", "0.3 ± 0.1, succeeds above, of the grid"),
        ("border friction", "slope deg 0 deg", "0.15 ± 0.05, succeeds above, of the grid"),
        ("largest reach", "friction 0.4, slope deg 0 deg", "5 m"),
        ("smallest reach", "friction 0.2, slope deg 0 deg", "3 m"),
    ]
    assert reasons.rows == [("failed: it fell", "3")]


def test_of_runs_with_several_seeds_the_best_median_is_told():
    (table,) = answers(made(FRICTION, SEEDS))  # 0 to 3, 4 to 7, 8 to 11
    assert table.rows == [
        ("largest median reach", "friction 0.4", "9.5 m"),
        ("smallest median reach", "friction 0.1", "1.5 m"),
    ]


def test_a_measure_that_was_asked_for_and_that_no_run_has_is_told():
    data = made(FRICTION, measures=("reach", "slip"))
    (table,) = answers(data)
    assert table.rows[-1] == ("slip", "", "no run tells it")
    assert sweep_contents(data, {}).notes[-1] == "slip: no run tells it."


def test_a_measure_that_is_the_same_everywhere_is_not_drawn():
    assert measures_of(made(FRICTION)) == ["reach"]


def test_the_interval_is_that_of_wilson():
    # 8 of 10: (p + z^2/2n +- z sqrt(p q/n + z^2/4n^2)) / (1 + z^2/n) with z = 1.959964
    assert wilson(8, 10) == pytest.approx((0.8, 0.490162, 0.943318), abs=1e-6)
    assert wilson(0, 5)[1] == 0.0


def test_figures_survive_the_attributes_of_a_dataset():
    figures = [Lines("a", "b"), Map("a", "x", "y"), SuccessRate("b"), Spread("a"), Overlay("q.x")]
    figures.append(SuccessMap("x", "y", fields=2, figure="Figure 24"))
    assert read(dumped(figures)) == figures


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (Lines("reac"), "did you mean 'reach'"),
        (Lines("reach", over="frictio"), "did you mean 'friction'"),
        (Lines("reach", reference="drake"), "none of the engines"),
        (Map("reach"), "no two axes of numbers"),
        (Overlay("com.z"), "was not kept"),
        (SuccessMap(), "draws no two values"),
    ],
)
def test_a_figure_of_what_there_is_not_is_told(option, says):
    data = made(FRICTION).assign_attrs(figures=dumped([option]))
    with pytest.raises(RunError, match=says) as refused:
        sweep_contents(data, {})
    assert "\n" not in str(refused.value)


def test_a_page_of_ten_thousand_runs_stays_small():
    data = made(
        axis_of_values("friction", np.linspace(0.1, 1.0, 100).tolist()),
        axis_of_values("seed", range(100)),
        fails=3000, series=("q.x",),
    )  # fmt: skip
    sources = [figure.source for figure in sweep_contents(data, {}).figures]
    assert len(sources) == 3
    assert sum(map(len, sources)) < 1_000_000


def test_columns_of_numbers_are_at_the_right_and_texts_at_the_left():
    rows = [("moreau, seed 1", "0.3 ± 0.01", NONE), ("sap", number(-2e-5), "4")]
    assert Table("t", ("run", "border", "x"), rows).aligned == ["", "n", "n"]
    assert Table("t", ("run", "x"), []).aligned == ["n", "n"]


def test_what_a_robot_does_in_some_engines_only():
    told = {"fallen": 0.0, "slip_of_step": 0.002, "creep_by_foot": 0.0}
    does = [told, told | {"slip_of_step": 0.03}, told | {"creep_by_foot": 0.004}, {"fallen": 1.0}]
    statuses = ["done", "done", "done", "done"]
    outcomes = [Outcome(of, "", one) for of, one in zip(statuses, does, strict=True)]
    data = dataset_of(("moreau", "drake"), [SLOPE], outcomes, {})
    data = with_success(data, ["", "", "", "fallen is 1, not < 1"]).assign_attrs(figures=dumped([]))
    table = answers(data)[0]
    assert table.headings == ("where", "moreau", "drake", "in some only")
    first, second = table.rows
    assert first[1:] == ("survives", "survives, creeps 0.004 m", "creeps in drake")
    only = "survives in moreau; slips in moreau; falls in drake"
    assert second[1:] == ("survives, slips 0.03 m", "falls", only)
