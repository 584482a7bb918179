"""The hopper's jump as a nonlinear programme: a given sequence of phases, everything else free."""
