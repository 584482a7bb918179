"""A plant as flat arrays, and its dynamics as compiled kernels."""
