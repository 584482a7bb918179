"""The walker on ground that only pushes: the thesis's two controllers on contact as it is."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, LeafSystem
from pydrake.systems.primitives import ZeroOrderHold

from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ScenarioError
from footfall.feet.ground_contacts import loads_by_link
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.control import ACCELERATION, PATH, SELECTOR, TORQUE, HumanoidWalk
from footfall.machines.humanoid.model import parameters_of
from footfall.plants.actuators import actuators_of
from footfall.plants.drives import PdGains
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import SupportRows
from footfall_controllers.balanced_path import Balance, BalancedPath
from footfall_controllers.foot_switch import FootSwitch
from footfall_controllers.redundant_torque import RedundantTorque


@dataclass
class GroundWalk(Controller):
    gait: HumanoidWalk = field(default_factory=HumanoidWalk)
    period: float = 0.0
    threshold: float = 0.0
    kp: float = 0.0
    kd: float = 0.0
    kp_tilt: float = 400.0
    kd_tilt: float = 40.0
    toe_kp: float = 0.0
    toe_kd: float = 0.5
    project: bool = True

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        toe = np.array([a.joint().name().endswith("_toe") for a in actuators_of(plant)], float)
        return PdGains(self.toe_kp * toe, self.toe_kd * toe, by_drive=True) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        plant, gait = wiring.model.plant, self.gait
        builder = wiring.builder
        p = parameters_of(wiring.model, wiring.contacts).numbers()
        laws = [gait.predictive(p, GaitPhase(k)) for k in range(4)]
        soles = gait._soles(parameters_of(wiring.model, wiring.contacts)) if gait.push_only else ((), ())
        torques = [gait._torques(plant, GaitPhase(k), soles) for k in range(4)]
        selector, path = gait.references(plant, p)
        systems = {SELECTOR: selector, PATH: path, ACCELERATION: gait._accelerations(plant, laws), TORQUE: RedundantTorque(plant, torques)}
        source = PATH
        if self.kp or self.kd:
            source = "balanced"
            systems[source] = BalancedPath(plant, path, Balance(self.kp, self.kd, self.kp_tilt, self.kd_tilt))
        for name, system in systems.items():
            builder.AddNamedSystem(name, system)
        state = wiring.state
        if self.project:
            held = HeldState(plant, [law.support for law in laws])
            builder.AddNamedSystem("held_state", held)
            builder.Connect(wiring.state, held.GetInputPort("state"))
            builder.Connect(selector.GetOutputPort("phase"), held.GetInputPort("phase"))
            state = held.GetOutputPort("held")
        for name in systems:
            for port in ("state", "landing"):
                if systems[name].HasInputPort(port):
                    builder.Connect(wiring.state if name == SELECTOR else state, systems[name].GetInputPort(port))
        for name in systems:
            for port in ("phase", "start"):
                if name != SELECTOR and systems[name].HasInputPort(port):
                    builder.Connect(selector.GetOutputPort(port), systems[name].GetInputPort(port))
        builder.Connect(systems[source].GetOutputPort("reference"), systems[ACCELERATION].GetInputPort("reference"))
        builder.Connect(systems[ACCELERATION].GetOutputPort("acceleration"), systems[TORQUE].GetInputPort("acceleration"))
        if self.threshold:
            loads = [loads_by_link(plant, wiring.contacts, [f"{s}_foot", f"{s}_toe"]).sum(axis=0) for s in SIDES]
            switch = builder.AddNamedSystem("foot_switch", FootSwitch(np.array(loads), self.threshold * wiring.time_step))
            builder.Connect(wiring.impulses, switch.GetInputPort("contact_impulses"))
            builder.Connect(switch.GetOutputPort("contact"), selector.GetInputPort("contact"))
        out = systems[TORQUE].GetOutputPort("actuation")
        if self.period:
            hold = builder.AddNamedSystem("hold", ZeroOrderHold(self.period, plant.num_actuators()))
            builder.Connect(out, hold.get_input_port())
            out = hold.get_output_port()
        toes = builder.AddNamedSystem("toe_hold", ToeHold(plant, self.toe_kp, self.toe_kd))
        builder.Connect(out, toes.GetInputPort("motors"))
        builder.Connect(wiring.state, toes.GetInputPort("state"))
        builder.Connect(selector.GetOutputPort("phase"), toes.GetInputPort("phase"))
        builder.Connect(toes.GetOutputPort("actuation"), wiring.actuation)


class HeldState(LeafSystem):
    def __init__(self, plant, supports):
        super().__init__()
        self._plant = plant
        self._own = plant.CreateDefaultContext()
        self._rows = [SupportRows(plant, s) for s in supports]
        n = plant.num_multibody_states()
        self._s = self.DeclareVectorInputPort("state", n)
        self._p = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("held", n, self._calc)

    def _calc(self, context, output):
        state = self._s.Eval(context).copy()
        rows = self._rows[int(self._p.Eval(context)[0])]
        plant, own = self._plant, self._own
        plant.SetPositionsAndVelocities(own, state)
        nq = plant.num_positions()
        N = free_motions(rows.jacobian(own), rows.cut)
        M = plant.CalcMassMatrix(own)
        state[nq:] = N @ np.linalg.solve(N.T @ M @ N, N.T @ (M @ state[nq:]))
        output.SetFromVector(state)


class ToeHold(LeafSystem):
    def __init__(self, plant, kp, kd):
        super().__init__()
        self._kp, self._kd = kp, kd
        names = [a.joint().name() for a in actuators_of(plant)]
        self._at = [names.index(f"{s}_toe") for s in SIDES]
        joints = [plant.GetJointByName(f"{s}_toe") for s in SIDES]
        self._q = [j.position_start() for j in joints]
        self._v = [plant.num_positions() + j.velocity_start() for j in joints]
        nu = plant.num_actuators()
        self._m = self.DeclareVectorInputPort("motors", nu)
        self._s = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._p = self.DeclareVectorInputPort("phase", 2)
        self.DeclareVectorOutputPort("actuation", nu, self._calc)

    def _calc(self, context, output: BasicVector):
        tau = self._m.Eval(context).copy()
        state = self._s.Eval(context)
        phase = GaitPhase(int(self._p.Eval(context)[0]))
        for k in range(2):
            if phase.is_double and k != phase.side:
                continue
            tau[self._at[k]] += -self._kp * state[self._q[k]] - self._kd * state[self._v[k]]
        output.SetFromVector(tau)
