"""Systems between an engine and a controller: sensors, actuators, limits of motors."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import DiagramBuilder, InputPort, OutputPort

from footfall.engines import DrakeEngine, MoreauEngine
from footfall.engines.ports import ACTUATION, STATE
from footfall.plants.motors import PdGains, speed_limits
from footfall.plants.sensing import ActuatorSystem, SensorSystem
from footfall.scenario.schema import Scenario
from footfall_controllers.motor_limits import MotorLimits


def between_controller_and_joints(scenario: Scenario, gains: PdGains) -> str:
    """Name what keeps gains of a controller from the joints in a scenario; empty if nothing does.

    Sensors and an estimator do, but for gains of the drives' own loops.
    """
    there = {
        "sensors": scenario.sensors is not None and not gains.by_drive,
        "estimator": scenario.estimator is not None and not gains.by_drive,
        "actuators": scenario.actuators is not None,
        "motors": any(motor.is_limited for motor in scenario.motors.values()),
    }
    return " and ".join(name for name, has in there.items() if has)


def through_motors(
    builder: DiagramBuilder,
    scenario: Scenario,
    plant: MultibodyPlant,
    system: MoreauEngine | DrakeEngine,
) -> InputPort:
    """Return the port that takes torques: the engine's, or that of limits of motors and speeds."""
    limited = {name: motor for name, motor in scenario.motors.items() if motor.is_limited}
    if not limited and not np.isfinite(speed_limits(plant)).any():
        return system.GetInputPort(ACTUATION)
    limits = builder.AddNamedSystem("motor_limits", MotorLimits(plant, limited, system.drives))
    builder.Connect(system.GetOutputPort(STATE), limits.GetInputPort("state"))
    builder.Connect(limits.GetOutputPort("actuation"), system.GetInputPort(ACTUATION))
    return limits.GetInputPort("command")


def through_actuators(
    builder: DiagramBuilder, scenario: Scenario, actuation: InputPort, *, continuous: bool
) -> InputPort:
    """Return the port that takes commands: that of the torques, or of actuators with errors."""
    if scenario.actuators is None or actuation.size() == 0:
        return actuation
    errors = ActuatorSystem(
        actuation.size(),
        scenario.actuators,
        scenario.seed,
        scenario.time_step,
        continuous=continuous,
    )
    added = builder.AddNamedSystem("actuators", errors)
    builder.Connect(added.GetOutputPort("actuation"), actuation)
    return added.GetInputPort("command")


def through_sensors(
    builder: DiagramBuilder,
    scenario: Scenario,
    plant: MultibodyPlant,
    system: MoreauEngine | DrakeEngine,
    *,
    continuous: bool,
) -> tuple[OutputPort, OutputPort | None]:
    """Return the ports of what a controller sees: state, and what an IMU tells if there is one.

    The state is that of the estimator, if the scenario has one.
    """
    state, imu = system.GetOutputPort(STATE), None
    if scenario.sensors is not None:
        sensors = SensorSystem(
            plant, scenario.sensors, scenario.seed, scenario.time_step, continuous=continuous
        )
        added = builder.AddNamedSystem("sensors", sensors)
        builder.Connect(state, added.GetInputPort("state"))
        state = added.GetOutputPort("state")
        imu = added.GetOutputPort("imu") if scenario.sensors.imu is not None else None
    if scenario.estimator is not None:
        has_imu = imu is not None
        estimator = scenario.estimator.estimator(plant, has_imu=has_imu)
        added = builder.AddNamedSystem("estimator", estimator)
        builder.Connect(state, added.GetInputPort("state"))
        if added.HasInputPort("imu"):
            builder.Connect(imu, added.GetInputPort("imu"))
        state = added.GetOutputPort("state")
    return state, imu
