"""Numbers of the humanoid walker: tables 2.4 to 2.7 of the thesis, for any mass and height.

Letters are the thesis's. Left and right legs are equal; bodies: 1 head, arms and trunk (HAT), 4 and
5 thighs, 6 and 7 shanks, 10 and 11 feet, 12 and 13 toes; even numbers are left.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from footfall.checked import Checked, between, not_negative, positive

_MASS, _HEIGHT = 56.0, 1.60  # of the tables of inertia [kg], [m]


class Numbers(NamedTuple):
    """Numbers as kernels take them, SI.

    a1: distance of the hips; a4, a6: lengths of thigh and shank; a10: height of the ankle; d10:
    from heel to toe hinge; c1, c4, c6: from the frame of a body to its mass centre. m: masses; the
    names of moments of inertia about the mass centre end with their axes. foot_: of foot and toe in
    one piece, with mass centre at (foot_x, foot_z) from the ankle; sole_: of the foot without its
    toe, as it turns about the toe's hinge. g: gravity.
    """

    a1: float
    a4: float
    a6: float
    a10: float
    d10: float
    c1: float
    c4: float
    c6: float
    m1: float
    m4: float
    m6: float
    hat_xx: float
    hat_yy: float
    hat_zz: float
    thigh_t: float
    thigh_z: float
    shank_t: float
    shank_z: float
    foot_m: float
    foot_x: float
    foot_z: float
    foot_xx: float
    foot_yy: float
    foot_zz: float
    sole_m: float
    sole_x: float
    sole_z: float
    sole_xx: float
    sole_yy: float
    sole_zz: float
    sole_xz: float
    g: float


@dataclass(frozen=True)
class HumanoidParameters(Checked):
    """Humanoid of a mass [kg] and a height [m].

    hat_centre: height c1 of the HAT's mass centre over the width a1 of the pelvis. Table 2.6 has
    0.5, half the width; the box whose inertia table 2.5 gives is 0.62 m tall, which would be 1.01.
    toe_share: mass of a toe over that of its foot, 0 in the thesis; toe_length over the height.
    g: gravity [m/s^2]. Raises ValueError for what is no body.
    """

    mass: float = positive(_MASS)
    height: float = positive(_HEIGHT)
    hat_centre: float = not_negative(0.5)
    toe_share: float = between(
        0.0, 0.0, 0.2, "give a share of the foot from 0 to below 0.2", open_high=True
    )
    toe_length: float = positive(0.03)
    g: float = positive(9.81)

    def __post_init__(self) -> None:
        """Refuse what is no body."""
        super().__post_init__()
        p = self.numbers()
        mean = 0.5 * (p.sole_xx + p.sole_zz)
        radius = math.hypot(0.5 * (p.sole_xx - p.sole_zz), p.sole_xz)
        if radius >= mean or not 2.0 * radius <= p.sole_yy <= 2.0 * mean:
            message = (
                f"a toe with toe_share {self.toe_share} and toe_length {self.toe_length} leaves a "
                "foot with moments of inertia that no body has: give less"
            )
            raise ValueError(message)

    def numbers(self) -> Numbers:
        """Return tables 2.4 to 2.7; inertia goes with the mass and the square of the height."""
        m, h = self.mass, self.height
        scale = m / _MASS * (h / _HEIGHT) ** 2
        a1, a10, d10, foot = 0.191 * h, 0.039 * h, 0.152 * h, 0.0145 * m
        foot_x, foot_z = d10 / 3.0, -2.0 * a10 / 3.0  # (3.1)
        inertia = (0.00049 * scale, 0.00361 * scale, 0.00384 * scale)
        sole = self._sole(foot, (foot_x, foot_z), (d10, a10), inertia)
        return Numbers(
            a1=a1,
            a4=0.245 * h,
            a6=0.246 * h,
            a10=a10,
            d10=d10,
            c1=self.hat_centre * a1,
            c4=0.5 * 0.245 * h,
            c6=0.5 * 0.246 * h,
            m1=0.678 * m,
            m4=0.1 * m,
            m6=0.0465 * m,
            hat_xx=1.5139 * scale,
            hat_yy=1.2851 * scale,
            hat_zz=0.3594 * scale,
            thigh_t=0.07679 * scale,
            thigh_z=0.00977 * scale,
            shank_t=0.03465 * scale,
            shank_z=0.00208 * scale,
            foot_m=foot,
            foot_x=foot_x,
            foot_z=foot_z,
            foot_xx=inertia[0],
            foot_yy=inertia[1],
            foot_zz=inertia[2],
            **sole,
            g=self.g,
        )

    def _sole(
        self,
        mass: float,
        centre: tuple[float, float],
        size: tuple[float, float],
        inertia: tuple[float, float, float],
    ) -> dict[str, float]:
        """Return the numbers of a foot less a slender toe."""
        (x, z), (ahead, ankle), length = centre, size, self.toe_length * self.height
        toe = self.toe_share * mass
        own = toe * length**2 / 12.0
        rest = mass - toe
        toe_x, toe_z = ahead + 0.5 * length, -ankle
        sole_x, sole_z = (mass * x - toe * toe_x) / rest, (mass * z - toe * toe_z) / rest
        parts = ((toe, toe_x - x, toe_z - z), (rest, sole_x - x, sole_z - z))
        return {
            "sole_m": rest,
            "sole_x": sole_x,
            "sole_z": sole_z,
            "sole_xx": inertia[0] - sum(m * dz**2 for m, _, dz in parts),
            "sole_yy": inertia[1] - own - sum(m * (dx**2 + dz**2) for m, dx, dz in parts),
            "sole_zz": inertia[2] - own - sum(m * dx**2 for m, dx, _ in parts),
            "sole_xz": sum(m * dx * dz for m, dx, dz in parts),
        }
