"""M, forces and frames of a plant at a state against Drake's, by the flat arrays and without."""

import numpy as np
import pytest
from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces
from tests.plants.flat.test_dynamics import chain

from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.flat import motion
from footfall.plants.flat.checked import links_of
from footfall.plants.flat.motion import PlantMotion

POINT = np.array([0.3, -0.1, 0.2])
KINDS = [["quaternion", "revolute", "ball", "prismatic"], ["angles", "screw", "planar"]]


def _refuse(plant):
    return links_of(plant)._replace(holds_forces=False)


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: kinds[0])
@pytest.mark.parametrize("flat", [True, False], ids=["flat", "by Drake"])
def test_motion_is_drakes(monkeypatch, kinds, flat):
    if not flat:
        monkeypatch.setattr(motion, "links_of", _refuse)
    plant = chain(kinds)
    frames = [plant.GetFrameByName(f"m{k}") for k in range(len(kinds))]
    frames += [plant.GetFrameByName(f"arm{len(kinds) - 1}"), plant.world_frame()]
    found = PlantMotion(plant, [(frame, POINT) for frame in frames])
    context, rng = plant.CreateDefaultContext(), np.random.default_rng(3)
    world, forces, kind = plant.world_frame(), MultibodyForces(plant), JacobianWrtVariable.kV
    for _ in range(3):
        q, v = (
            rng.uniform(-1.0, 1.0, plant.num_positions()),
            rng.normal(size=plant.num_velocities()),
        )
        normalise_quaternions(q, quaternion_places(plant))
        found.set(q, v)
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        force = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        plant.CalcForceElementsContribution(context, forces)
        resting = plant.CalcInverseDynamics(context, np.zeros(len(v)), forces)
        pairs = [
            (found.M, plant.CalcMassMatrix(context)),
            (found.force, force),
            (found.resting(), resting),
        ]
        for k, frame in enumerate(frames):
            X_WF = frame.CalcPoseInWorld(context)
            where = (context, kind, frame, POINT, world, world)
            J = plant.CalcJacobianSpatialVelocity(*where)
            bias = plant.CalcBiasSpatialAcceleration(*where).get_coeffs()
            of_k = [part[k] for part in found.frames]
            there = X_WF.rotation().matrix(), X_WF.multiply(POINT), J @ v, bias
            pairs += zip(of_k, (J, *there), strict=True)
        for have, want in pairs:
            size = max(1.0, np.abs(want).max())
            np.testing.assert_allclose(have, want, rtol=0.0, atol=1e-12 * size)


@pytest.mark.parametrize("flat", [True, False], ids=["flat", "by Drake"])
def test_positions_ahead_are_those_of_the_velocities(monkeypatch, flat):
    if not flat:
        monkeypatch.setattr(motion, "links_of", _refuse)
    plant = chain(["quaternion", "revolute"])
    q, v = np.zeros(plant.num_positions()), np.ones(plant.num_velocities())
    q[:4] = 0.5
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    wanted = q + 0.02 * plant.MapVelocityToQDot(context, v)
    found = PlantMotion(plant).ahead(q, v, 0.02)
    for positions in (wanted, found):  # of quaternions only the direction counts
        normalise_quaternions(positions, quaternion_places(plant))
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-14)
