"""Many bodies: islands keep to themselves, and a wall of bricks stands on its weight."""

import numpy as np
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import BRICK, GRAVITY, simulate

from footfall.scenario.schema import InitialState, Scenario

MASS, LENGTH, HEIGHT = 1.2, 0.2, 0.04
LAYERS = 4


def _scene(folder, places, **fields):
    """Bricks by the places of their centres [m]."""
    path = folder / "brick.urdf"
    path.write_text(BRICK)
    positions = {}
    for k, place in enumerate(places):
        prefix = f"b{k}_" if len(places) > 1 else ""
        values = zip(("qw", "x", "y", "z"), (1.0, *place), strict=True)
        positions |= {f"{prefix}brick_{key}": value for key, value in values}
    models = [AddModel(name=f"b{k}", file=str(path)) for k in range(len(places))]
    return Scenario(
        directives=[ModelDirective(add_model=model) for model in models],
        initial=InitialState(positions=positions),
        friction=0.6,
        **fields,
    )


def test_islands_step_as_if_they_were_alone(tmp_path):
    places = [(float(k), 0.2 * k, 0.5 * HEIGHT + 1e-3 * k) for k in range(3)]
    together = simulate(_scene(tmp_path, places, duration=0.1)).trajectory.data
    for k, place in enumerate(places):
        alone = simulate(_scene(tmp_path, [place], duration=0.1)).trajectory.data
        ours = together["q"].to_numpy()[:, 7 * k : 7 * k + 7]
        np.testing.assert_allclose(ours, alone["q"].to_numpy(), rtol=0.0, atol=1e-12)


def test_a_wall_of_bricks_stands_on_its_weight(tmp_path):
    """Each brick lies across two: one island, in many ways statically undetermined."""
    places = [
        ((LENGTH + 2e-3) * (k + 0.5 * layer), 0.0, HEIGHT * (layer + 0.5) - 1e-6 * (layer + 1))
        for layer in range(LAYERS)
        for k in range(LAYERS - layer)
    ]
    data = simulate(_scene(tmp_path, places, duration=0.05)).trajectory.data
    assert np.abs(data["v"]).max() < 1e-6  # m/s, of 0.5 that a brick would have fallen to
    on_ground = [name for name in data["contact"].to_numpy() if "|" not in name]
    force = data["impulse"].sel(contact=on_ground, axis="n").sum("contact").to_numpy()[1:] / 1e-3
    np.testing.assert_allclose(force, len(places) * MASS * GRAVITY, rtol=1e-4)
    assert float(data["residual"].max()) <= 1e-10
