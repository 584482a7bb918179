"""Readings of sensors in a trajectory: what the controller computed its torques of."""

import json

import numpy as np
import pytest
import xarray as xr

import footfall as ff
from footfall.trajectory import Trajectory
from footfall.trajectory.series import find_series, names_of

KP, KD = 300.0, 20.0
SENSORS = {
    "rate": 250.0,
    "delay": 0.006,
    "encoders": {"noise": 1e-4, "bias": 1e-3, "resolution": 1e-4, "velocity_noise": 1e-3},
    "imu": {"link": "thigh_a", "gyro_noise": 1e-3, "accelerometer_noise": 1e-2},
}


def seen(engine="moreau", **values):
    scenario = ff.load("biped/stand_pd", duration=0.05, sensors=SENSORS)
    pd = {"kp": KP, "kd": KD, "at_midpoint": False}
    pd = {f"controller.{name}": value for name, value in pd.items()}
    return scenario.set(**pd, **values).run(engine=engine)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap", "drake-continuous"])
def test_torques_follow_from_readings(engine):
    run = seen(engine)
    data = run.data
    joints = ["theta1", "theta2", "theta3", "theta4"]
    q, v = (
        data["reading"].sel(sensor=[f"{letter}.{joint}" for joint in joints]).values
        for letter in "qv"
    )
    wanted = np.array([run.scenario.controller.positions[joint] for joint in joints])
    torque = KP * (wanted - q) - KD * v
    assert data["actuation"].values == pytest.approx(torque, rel=1e-9, abs=1e-9)
    assert np.abs(q - data["q"].sel(position=joints)).max() > 1e-3  # late, and with errors


def test_readings_are_late_by_whole_samples_and_whole_without_errors():
    run = seen(sensors={"rate": 250.0, "delay": 0.006})
    assert run.data["sensor"].values.tolist() == [
        f"{letter}.{name}" for letter in "qv" for name in run.data["position"].values
    ]
    states = np.hstack([run.data["q"], run.data["v"]])
    late = [max(0, 4 * ((k - 6) // 4)) for k in range(len(states))]
    assert np.array_equal(run.data["reading"], states[late])


def test_an_imu_that_stands_reads_gravity_upwards():
    # the foot of a leg that is held by friction: the specific force is -g in the axes of the link
    sensors = {"imu": {"link": "thigh_a"}}
    run = ff.load("biped/stand_pd", duration=0.4, sensors=sensors).run(engine="moreau")
    force = run.data["reading"].sel(sensor=[f"imu.force.{axis}" for axis in "xyz"])
    assert force.sensor_units.values.tolist() == ["m/s^2"] * 3
    assert np.linalg.norm(force[-1]) == pytest.approx(9.81, rel=2e-2)


def test_every_nth_row_has_the_readings_of_its_time():
    every, whole = seen(record_every=5, machine="").data, seen(machine="").data
    assert every["reading"].equals(whole["reading"][::5])


def test_readings_are_series_and_a_run_without_sensors_has_none():
    data = seen().data
    (series,) = find_series(data, "reading.imu.gyro.y")
    assert (series.unit, series.values.shape) == ("rad/s", (51,))
    assert "imu.gyro.y" in names_of(data)
    bare = ff.load("biped/stand_pd", duration=0.01).run(engine="moreau").data
    assert bare.sizes["sensor"] == 0
    assert "reading" not in names_of(bare)


def test_a_file_of_before_readings_were_kept_is_read(tmp_path):
    run = ff.load("biped/stand_pd", duration=0.01).run(engine="moreau")
    run.trajectory.save(tmp_path / "new.nc")
    new = ("reading", "sensor", "sensor_units")
    with xr.open_dataset(tmp_path / "new.nc", decode_times=False, mask_and_scale=False) as opened:
        old = opened.load().drop_vars(new)
    contents = json.loads(old.attrs["contents"])
    old.attrs["contents"] = json.dumps({k: v for k, v in contents.items() if k not in new})
    old.encoding = {}
    old.to_netcdf(tmp_path / "old.nc", engine="netcdf4")
    read = Trajectory.load(tmp_path / "old.nc")
    assert read.data.sizes["sensor"] == 0
    assert read.data["q"].equals(run.data["q"])
