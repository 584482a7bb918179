"""A coin that rolls steadily in a circle: without slip, at constant tilt and constant rate.

The coin has mass m [kg], radius r and half the thickness c [m], and moments of inertia A across its
axis and C about it [kg m^2]. e3 is its axis, tilted by theta [rad] from the vertical z, away from
the centre of the circle; the rim below touches the ground with its lowest point P. The centre G of
mass runs on a circle of radius rho [m] (0: on the spot), and the coin turns with

    omega = Omega z + s e3,

precession Omega and spin s [rad/s] constant. With e_r pointing from the axis of the circle to G,
G P = a e_r - H z, where a = r cos(theta) - c sin(theta) and H = r sin(theta) + c cos(theta):

    rolling:        s r = -Omega (rho + a)
    momentum:       N = m g,  F = -m Omega^2 rho e_r
    spin about G:   Omega sin(theta) (C omega3 - A Omega cos(theta)) = m Omega^2 rho H - m g a

with omega3 = s + Omega cos(theta), so that

    Omega^2 = m g a / [sin(theta) (A cos(theta) + C (rho - c sin(theta)) / r) + m rho H].

For rho = c = 0 this is Euler's disc, Omega^2 = 4 g / (r sin(theta)) for a homogeneous one.

Source: E. J. Routh, Advanced Rigid Dynamics, 6th ed. 1905, article 244; O. M. O'Reilly, The
dynamics of rolling disks and sliding disks, Nonlinear Dynamics 10 (1996) 287-305; A. J. McDonald &
K. T. McDonald, The rolling motion of a disk on a horizontal plane, arXiv physics/0008227 (2002),
all for thin discs; here with the thickness of the coin.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Coin:
    """Masses and lengths as above, in SI, with 0 < theta < pi/2 and rho >= 0.

    Raises ValueError where the coin would have to lean the other way.
    """

    m: float
    A: float
    C: float
    r: float
    c: float
    theta: float
    rho: float
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse what is no steady motion."""
        if not (0.0 < self.theta < 0.5 * math.pi and self.rho >= 0.0 and self.overhang > 0.0):
            raise ValueError(f"no steady motion leans this way: {self}")

    @property
    def overhang(self) -> float:
        """Distance a by which the contact point lies farther outside than G [m]."""
        return self.r * math.cos(self.theta) - self.c * math.sin(self.theta)

    @property
    def height(self) -> float:
        """Height H of G above the ground [m]."""
        return self.r * math.sin(self.theta) + self.c * math.cos(self.theta)

    @property
    def precession(self) -> float:
        """Omega > 0 [rad/s]."""
        sin, cos = math.sin(self.theta), math.cos(self.theta)
        gyro = self.A * cos + self.C * (self.rho - self.c * sin) / self.r
        inertia = sin * gyro + self.m * self.rho * self.height
        return math.sqrt(self.m * self.g * self.overhang / inertia)

    @property
    def spin(self) -> float:
        """Spin s about the axis, against the precession [rad/s]."""
        return -self.precession * (self.rho + self.overhang) / self.r

    @property
    def normal_force(self) -> float:
        """N [N]."""
        return self.m * self.g

    @property
    def friction_force(self) -> float:
        """Friction towards the axis of the circle [N]."""
        return self.m * self.precession**2 * self.rho
