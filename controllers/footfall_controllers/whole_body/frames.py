"""Tasks of frames as what they are made of: a task of a place and one of an orientation."""

from collections.abc import Iterator, Mapping

from footfall_controllers.whole_body.targets import Reference, Targets
from footfall_controllers.whole_body.tasks import AnyTask, Frame


class Frames:
    """Splits tasks of frames and their references; leaves all others as they are."""

    def __init__(self, tasks: Mapping[str, AnyTask]) -> None:
        """Take all tasks by name."""
        self._frames = {name: task for name, task in tasks.items() if isinstance(task, Frame)}
        self.tasks: dict[str, AnyTask] = {}
        for name, task in tasks.items():
            if isinstance(task, Frame):
                place, turn = parts_of(name)
                self.tasks |= {place: task.place(), turn: task.turn()}
            else:
                self.tasks[name] = task

    def arms(self, name: str) -> Iterator[tuple[str, float]]:
        """Give the parts of a task and the arm at which each is priced, or the task itself."""
        frame = self._frames.get(name)
        if frame is None:
            yield name, 1.0
        else:
            yield from zip(parts_of(name), (1.0, frame.arm), strict=True)

    def split(self, targets: Targets) -> Targets:
        """Return targets with references and shares of the parts in place of those of frames."""
        if not self._frames:
            return targets
        tasks, active = dict(targets.tasks), dict(targets.active)
        for name in self._frames:
            place, turn = parts_of(name)
            if name in tasks:
                tasks[place], tasks[turn] = _parted(tasks.pop(name))
            if name in active:
                active[place] = active[turn] = active.pop(name)
        return Targets(tasks, active, targets.contacts, targets.normals)


def parts_of(name: str) -> tuple[str, str]:
    """Return the names of the place and of the orientation of a frame."""
    return f"{name} (place)", f"{name} (turn)"


def _parted(pose: Reference) -> tuple[Reference, Reference]:
    """References of place and orientation; rates of a reference that has none are zero."""
    turning, moving = (
        (pose.rate[:3], pose.acceleration[:3]),
        (pose.rate[-3:], pose.acceleration[-3:]),
    )
    return Reference(pose.value[:, 3], *moving), Reference(pose.value[:, :3], *turning)
