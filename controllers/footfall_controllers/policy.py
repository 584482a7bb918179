"""A trained policy as controller: a network of ONNX, or a matrix, that sees a robot and acts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall.checked import between, finite, not_negative, one_of, positive
from footfall.errors import RunError, ScenarioError, reason_of, refusing
from footfall.files import DataFile, read_data_file
from footfall.wording import did_you_mean
from footfall_controllers.controller import (
    Controller,
    Reference,
    Wiring,
    declare_ticks,
    require_actuated,
)
from footfall_controllers.observations import (
    ACTIONS,
    OBSERVATIONS,
    OBSERVED,
    POSITIONS,
    TORQUES,
    Places,
    Seen,
    observed,
)

ENDINGS = (".onnx", ".npy")
_Single = npt.NDArray[np.float32]
_KNOWN = [name for name in OBSERVATIONS if name != "foot_loads"]  # which need the engine
_EXACT = 1e-9  # of a time step, by which a period may miss whole ones


@dataclass
class Policy(Controller):
    """Ask a trained policy for actions, every period, as `footfall.Env` does."""

    # An .onnx network, whose input is the observations (float32) and whose first output is actions;
    # or an .npy matrix (joints, observations), or with one more column, which is added.
    file: str = ""
    # What the matrix's product goes through: none or tanh. A network has its own.
    activation: str = one_of("none", ("none", "tanh"))
    # What it sees, in its order.
    observations: list[str] = field(default_factory=lambda: list(OBSERVED))
    # Factors of observations by their names; 1 for others.
    scales: dict[str, float] = finite({})
    # How many periods of observations it sees, the oldest first; before the start, as at the start.
    history: int = between(1, 1, 1000, "give a whole number from 1 to 1000")
    # Numbers of the observation `command`.
    command: list[float] = finite([])
    # Frequency of the observation `clock` [Hz].
    clock: float = positive(1.0)
    # Actuated joints in its order; none: that of the actuators.
    joints: list[str] = field(default_factory=list)
    # Positions that an action of 0 asks for, by joint [rad or m]; left out: those of the start.
    positions: dict[str, float] = finite({})
    # What it asks for: positions, which PD control follows at every step, or torques.
    actions: str = one_of(POSITIONS, ACTIONS)
    # Of an action of 1, one number or one for each of joints [rad or m; N m or N]; none: 0.3, or
    # the limits of effort. Actions are kept within clip.
    scale: list[float] = finite([])
    clip: float = positive(1.0)
    # Gains [N m/rad or N/m] and [N m s/rad or N s/m], one number or one for each of joints.
    kp: list[float] = not_negative([60.0])
    kd: list[float] = not_negative([1.5])
    # Between two actions [s], whole time steps.
    period: float = positive(0.02)

    @property
    def held_for(self) -> float:
        """Time between two ticks where torques are held [s]."""
        return self.period if self.actions == TORQUES else 0.0

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect it; raises ScenarioError, one line, for what does not fit the robot."""
        for name in (*self.observations, *self.scales):
            if name not in _KNOWN:
                told = did_you_mean(name, _KNOWN)
                raise ScenarioError(f"controller.observations: there is no '{name}'; {told}")
        if not self.observations:
            raise ScenarioError("controller.observations: name what the policy sees.")
        steps = self.period / wiring.time_step if wiring.time_step else 1.0
        if abs(steps - round(steps)) > _EXACT * steps or round(steps) < 1:
            raise ScenarioError(
                f"controller.period {self.period:g} s is no whole number of time steps of "
                f"{wiring.time_step:g} s."
            )
        if "imu" in self.observations and wiring.imu is None:
            raise ScenarioError(
                "controller.observations: imu: the scenario has none: give sensors."
            )
        system = PolicySystem(wiring.model.plant, self, wiring.start, wiring.time_step)
        wiring.add_feedback("controller", system)
        if "imu" in self.observations:
            wiring.builder.Connect(wiring.imu, system.GetInputPort("imu"))


class PolicySystem(LeafSystem):
    """Acts by a policy every period, the first time at the start, with torques between.

    Inputs: ``state`` [q; v] as sensors tell it; ``imu`` (6,), if it is observed. Output:
    ``actuation`` (nu,). start: [q; v] at which the scenario starts; time_step [s]: of the engine, 0
    if it has none. State: whether it has acted, the last action, the last observations.
    """

    def __init__(
        self, plant: MultibodyPlant, policy: Policy, start: Array, time_step: float
    ) -> None:
        """Read the policy; raises ScenarioError, one line, for what it does not fit."""
        super().__init__()
        self._policy, self._time_step = policy, time_step
        self._places = places = Places(plant, start, policy.joints)
        names = places.names
        require_actuated([*policy.positions], names)
        for name, position in policy.positions.items():
            places.rest[names.index(name)] = position
        count = len(names)
        scale = policy.scale or places.usual_scale(policy.actions)
        given = {"scale": scale, "kp": policy.kp, "kd": policy.kd}
        self._scale, self._kp, self._kd = (_for_each(name, given[name], count) for name in given)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._imu = self.DeclareVectorInputPort("imu", 6)
        still = self._seen(start, np.zeros(count), 0.0, np.zeros(6))
        sizes = {name: np.size(OBSERVATIONS[name](still)) for name in policy.observations}
        self._size = sum(sizes[name] for name in policy.observations)
        self._act = _read(policy, self._size * policy.history, count, sizes)
        self._memory = self.DeclareDiscreteState(1 + count + policy.history * self._size)
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        declare_ticks(self, policy.period, self._tick)
        self.DeclareVectorOutputPort("actuation", count, self._calc)

    def _seen(self, state: Array, action: Array, time: float, imu: Array) -> Seen:
        """Return the robot as observations see it; imu: what that tells."""
        command, clock = np.array(self._policy.command), self._policy.clock
        readings = {"imu": imu, "measured": state}
        return Seen(self._places, state, action, time, command, clock, readings.__getitem__)

    def _begin(self, context: Context, discrete: DiscreteValues) -> None:
        memory = context.get_discrete_state(self._memory).value()
        if memory[0]:  # of a state that was saved between two ticks
            discrete.set_value(self._memory, memory.copy())
        else:
            self._tick(context, discrete)

    def _tick(self, context: Context, discrete: DiscreteValues) -> None:
        memory, policy = context.get_discrete_state(self._memory).value(), self._policy
        acted, action, past = np.split(memory, [1, 1 + len(self._scale)])
        state, time, dt = self._state.Eval(context), context.get_time(), self._time_step
        imu = self._imu.Eval(context) if self._imu.HasValue(context) else state[:0]
        seen = self._seen(state, action, dt * round(time / dt) if dt else time, imu)
        scales = ((name, policy.scales.get(name, 1.0)) for name in policy.observations)
        now = observed([by * np.asarray(OBSERVATIONS[name](seen)) for name, by in scales])
        past = np.append(past[self._size :], now) if acted[0] else np.tile(now, policy.history)
        action = np.asarray(self._act(past.astype(np.float32)), dtype=np.float64)
        if not np.isfinite(action).all():
            raise RunError(f"controller: the policy's actions at t = {time:.4f} s are no numbers.")
        action = np.clip(action, -policy.clip, policy.clip)
        discrete.set_value(self._memory, np.concatenate(([1.0], action, past)))

    def _calc(self, context: Context, output: BasicVector) -> None:
        memory, state = context.get_discrete_state(self._memory).value(), self._state.Eval(context)
        torques = self._scale * memory[1 : 1 + len(self._scale)]
        if self._policy.actions == POSITIONS:
            places = self._places
            lag = places.rest + torques - state[places.q]
            torques = self._kp * lag - self._kd * state[places.v]
        ordered = np.empty_like(torques)
        ordered[self._places.order] = torques
        output.SetFromVector(ordered)


def _for_each(name: str, given: list[float], count: int) -> Array:
    if len(given) not in (1, count) or not np.isfinite(given).all():
        raise ScenarioError(
            f"controller.{name} is {given}: give one finite number, or {count}, of the joints."
        )
    return np.broadcast_to(given, count)


def _read(
    policy: Policy, size: int, count: int, sizes: Mapping[str, int]
) -> Callable[[_Single], Array]:
    """Return the function from observations to actions; sizes: of them by name."""
    file = read_data_file(policy.file, "controller.file", ENDINGS)
    where = f"controller.file: {policy.file}"
    with refusing(ScenarioError, lambda error: f"{where} is no such policy: {reason_of(error)}."):
        if file.path.suffix.lower() == ".npy":
            takes, act = _matrix(file, size, np.tanh if policy.activation == "tanh" else np.asarray)
        else:
            takes, act = _network(file, size)
        if takes != size:
            told = ", ".join(f"{name} {count}" for name, count in sizes.items())
            raise ScenarioError(
                f"{where} takes {takes} numbers, and observations have {size} ({told}; history "
                f"{policy.history}): give those that it was trained on."
            )
        gives = np.size(act(np.zeros(size, np.float32)))
    if gives != count:
        raise ScenarioError(
            f"{where} gives {gives} actions, and the robot has {count} actuated joints."
        )
    return act


def _matrix(
    file: DataFile, size: int, activation: Callable[[Array], Array]
) -> tuple[int, Callable[[_Single], Array]]:
    matrix = np.load(BytesIO(file.content), allow_pickle=False)
    if matrix.ndim != 2:
        raise ScenarioError(f"controller.file: {file.path.name} is no matrix.")
    if matrix.shape[1] == size:
        return size, lambda seen: activation(matrix @ seen)
    return matrix.shape[1] - 1, lambda seen: activation(matrix[:, :-1] @ seen + matrix[:, -1])


def _network(file: DataFile, size: int) -> tuple[int, Callable[[_Single], Array]]:
    try:
        from onnxruntime import InferenceSession, SessionOptions
    except ImportError as missing:
        raise ScenarioError(
            "controller.file: a network needs onnxruntime: pip install 'footfall[policy]'."
        ) from missing
    options = SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = InferenceSession(file.content, options, providers=["CPUExecutionProvider"])
    inputs, output = session.get_inputs(), session.get_outputs()[0].name
    if len(inputs) != 1:
        names = ", ".join(one.name for one in inputs)
        raise ScenarioError(
            f"controller.file: {file.path.name} has the inputs {names}: export a policy with one, "
            "which remembers nothing."
        )
    *before, last = inputs[0].shape
    name, shape = inputs[0].name, [1] * len(before) + [size]
    fits = last if isinstance(last, int) else size
    return fits, lambda seen: session.run([output], {name: seen.reshape(shape)})[0].ravel()
