"""Shares of a sample, and what they tell of all."""


def wilson(count: int, sample: int) -> tuple[float, float, float]:
    """Share of a count in a sample, and the ends of the 95 % interval for the share of all.

    Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209-212), which stays
    within 0 and 1 and has a width even where nothing was counted.
    """
    from scipy.stats import binomtest  # its import takes longer than many a run

    interval = binomtest(count, sample).proportion_ci(method="wilson")
    return count / sample, float(interval.low), float(interval.high)
