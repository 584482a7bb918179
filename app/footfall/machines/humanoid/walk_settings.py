"""Groups of settings of a walk: values by support, springs at joints, gains."""

from dataclasses import dataclass


@dataclass
class BySupport:
    """A value for double and one for single support."""

    double: float = 0.0
    single: float = 0.0

    @property
    def pair(self) -> tuple[float, float]:
        """Both, double support first."""
        return self.double, self.single


@dataclass
class JointSpring:
    """Spring and damper beside the motors of a joint on both sides."""

    # Stiffness [N m/rad].
    stiffness: float = 0.0
    # Angle at rest [rad].
    rest: float = 0.0
    # Damping [N m s/rad].
    damping: float = 0.0


@dataclass
class Feedback:
    """Gains of the error of places and velocities."""

    # Gain of places [1/s^2].
    kp: float = 400.0
    # Gain of velocities [1/s].
    kd: float = 40.0
