"""Names by which Gymnasium finds environments: it loads this when it is imported itself."""

import gymnasium

# of hip yaw, roll and pitch, knee, ankle pitch and roll, toe, of either leg: as much damping as a
# step of 1 ms bears at these inertias
_KP, _KD = (500.0, 800.0, 800.0, 800.0, 800.0, 300.0, 5.0), (5.0, 10.0, 10.0, 10.0, 5.0, 1.0, 0.03)
_TASKS: dict[str, dict[str, object]] = {
    "Quadruped": {"scenario": "scenes/quadruped", "kp": 60.0, "kd": 1.5},
    "Humanoid": {"scenario": "humanoid/stand", "kp": 2 * _KP, "kd": 2 * _KD, "scale": 0.2},
}
_COMMON = {"reward": "walking", "pushes": [], "duration": 10.0}


def register_envs() -> None:
    """Register ``footfall/Quadruped-v0`` and ``footfall/Humanoid-v0``, which are to walk ahead."""
    for name, task in _TASKS.items():
        gymnasium.register(
            f"footfall/{name}-v0",
            entry_point="footfall.api.envs:Env",
            vector_entry_point="footfall.api.envs:VectorEnv",
            kwargs=task | _COMMON,
        )
