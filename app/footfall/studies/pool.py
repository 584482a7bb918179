"""Pieces of work done by several processes, kept by a ledger in the order of their names."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

from footfall.errors import RunError
from footfall.studies.analysis import Desk

_PATIENCE = 0.5  # s between two looks at Ctrl-C


@dataclass(frozen=True)
class Piece:
    """A piece by its name, which says what it follows from; work: a function of a module."""

    name: str
    work: Callable[[], Any]


def done(
    desk: Desk, pieces: Sequence[Piece], workers: int, shares: tuple[float, float]
) -> list[Any]:
    """Results of pieces in their order; those that the ledger has are not done again.

    shares: of the whole analysis before and after them. What they give must not depend on one
    another. Raises Interrupted between pieces: those under way are waited for and kept. Raises
    RunError where a process dies.
    """
    if workers == 1:
        for number, piece in enumerate(pieces):
            desk.go_on(piece.name, _share(shares, number, len(pieces)))
            desk.ledger.result(piece.name, piece.work)
    else:
        _by_processes(desk, pieces, workers, shares)
    return [desk.ledger.result(piece.name, piece.work) for piece in pieces]


def _by_processes(
    desk: Desk, pieces: Sequence[Piece], workers: int, shares: tuple[float, float]
) -> None:
    """Let processes do what is not done, and keep each result as it comes."""
    missing = [piece for piece in pieces if piece.name not in desk.ledger]
    if not missing:
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _deaf_to_ctrl_c)
    try:
        futures = {pool.submit(piece.work): piece.name for piece in missing}
        while futures:
            share = _share(shares, len(pieces) - len(futures), len(pieces))
            desk.go_on(next(iter(futures.values())), share)
            finished, _ = wait(futures, _PATIENCE, FIRST_COMPLETED)
            for future in finished:
                _keep(desk, futures.pop(future), future)
    finally:
        pool.shutdown(cancel_futures=True)
        for future, name in futures.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                _keep(desk, name, future)


def _keep(desk: Desk, name: str, future: Future[Any]) -> None:
    try:
        desk.ledger.result(name, partial(future.result))
    except BrokenProcessPool as error:
        message = f"a process ended in the middle of {name}; set workers to 1, or --resume"
        raise RunError(message) from error


def _share(shares: tuple[float, float], number: int, of: int) -> float:
    return shares[0] + (shares[1] - shares[0]) * number / of


def _deaf_to_ctrl_c() -> None:
    """Leave Ctrl-C to the process that gives out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
