"""Recorder of the steps of a run: rows of a trajectory, and the account of energy."""

from footfall.recorder.recorder import Recorder, readings_of

__all__ = ["Recorder", "readings_of"]
