"""Computations over many simulations: their context, results, tasks and checkpoints."""
