"""Dataclasses whose fields say what they take."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from pydrake.common.yaml import yaml_load_typed

from footfall.checked import (
    POSITIVE,
    Checked,
    between,
    finite,
    not_negative,
    one_of,
    positive,
    within,
)
from footfall.errors import ScenarioError


@dataclass
class Drive(Checked, at="controller.{link}."):
    link: str = "leg"
    kp: float = positive(100.0)
    kd: float | None = not_negative(None)
    share: float = between(0.5, 0.0, 1.0, open_high=True)
    axis: list[float] = finite([0.0, 0.0, 1.0], size=3)
    mode: str = one_of("soft", ("soft", "hard"))
    springs: dict[str, float] = positive({}, "give N m/rad above 0")


@dataclass(frozen=True)
class Body(Checked):
    mass: float = field(metadata=POSITIVE)
    lean: float = field(default=0.0, metadata=within(-1.0, 1.0, "lean less"))


@dataclass
class GearedDrive(Drive):
    ratio: float = positive(10.0)

    def __post_init__(self):
        super().__post_init__()
        if self.kp > self.ratio * 1e3:
            raise self.refusal("kp is more than the gear bears")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kp": -1}, "kp is -1: give a positive number."),
        ({"kp": 0.0}, "kp is 0.0: give a positive number."),
        ({"kp": math.inf}, "kp is inf: give a positive number."),
        ({"kd": -1e-9}, "kd is -1e-09: give a finite number that is not negative."),
        ({"kd": math.nan}, "kd is nan: give a finite number that is not negative."),
        ({"share": 1.0}, "share is 1.0: give a number from 0 and below 1."),
        ({"share": math.nan}, "share is nan: give a number from 0 and below 1."),
        ({"axis": [0.0, 1.0]}, "axis is [0.0, 1.0]: give 3 finite numbers."),
        ({"axis": [0.0, 1.0, math.inf]}, "axis is [0.0, 1.0, inf]: give 3 finite numbers."),
        ({"mode": "none"}, "mode is 'none': choose one of soft, hard."),
        ({"springs": {"hip": 1.0, "knee": 0.0}}, "springs.knee is 0.0: give N m/rad above 0."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_place(values, message):
    with pytest.raises(ScenarioError) as refused:
        Drive(**values)
    assert str(refused.value) == f"controller.leg.{message}"


def test_ends_of_ranges_and_null_are_taken():
    drive = Drive(kd=0.0, share=0.0, kp=5e-324)
    assert replace(drive, kd=None, share=1.0 - 1e-16).kd is None


def test_defaults_are_not_shared():
    Drive().axis.append(4.0)
    assert Drive().axis == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("mass", [0.0, math.nan, np.array([1.0, -1.0]), np.array([np.inf])])
def test_parameters_of_pure_functions_raise_value_error(mass):
    assert Body(np.array([1.0, 2.0]), lean=np.array([1.0, -1.0])).lean[0] == 1.0
    with pytest.raises(ValueError, match=r"mass is .*: give a positive number$"):
        Body(mass)
    with pytest.raises(ValueError, match=r"lean is 2\.0: lean less$"):
        Body(1.0, lean=2.0)


def test_a_derived_class_has_both_checks_and_its_own():
    for values, name in (({"kp": -1.0}, "kp"), ({"ratio": 0.0}, "ratio"), ({"kp": 2e4}, "kp")):
        with pytest.raises(ScenarioError, match=f"controller.leg.{name} is"):
            GearedDrive(**values)


def test_fields_are_read_by_drakes_yaml_reader_and_checked_again_afterwards():
    drive = yaml_load_typed(schema=Drive, data="{kp: -3.0, springs: {hip: 2.0}}")
    with pytest.raises(ScenarioError, match=r"kp is -3.0: give a positive number\."):
        drive.__post_init__()
    assert drive.springs == {"hip": 2.0}
