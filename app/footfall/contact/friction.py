"""Coulomb friction of a pair of surfaces."""

from footfall.jit import njit


@njit
def combine_friction(mu_a: float, mu_b: float) -> float:
    """Coefficient of a pair from those of its surfaces, 2 a b / (a + b); 0 when both are 0.

    Drake's rule (CalcContactFrictionFromSurfaceProperties), so that one file means the same in
    every engine. Dimensionless and not negative; nothing is checked.
    """
    total = mu_a + mu_b
    return 2.0 * mu_a * mu_b / total if total > 0.0 else 0.0
