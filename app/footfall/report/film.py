"""Films and stills of runs, rendered by VTK without a display; ffmpeg makes MP4 or GIF of films."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from footfall.errors import RunError
from footfall.files import replacing
from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import Model
from footfall.report.rendered import Pixels, Renderer
from footfall.scenario.cameras import Camera
from footfall.show.camera import path_camera
from footfall.show.forces import FrictionCone, RecordedForces
from footfall.trajectory import Trajectory

SIZE = (960, 600)
"""Width and height of a film in pixels, both even."""

_MOST_FRAMES = 100_000
_FORMATS = {
    ".mp4": (
        *("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"),
        *("-f", "mp4"),
    ),
    # 256 colours out of each picture: those of all would ask for all of them at once
    ".gif": (
        "-filter_complex",
        "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1",
        *("-f", "gif"),
    ),
}
"""What ffmpeg is told, by the ending of the file."""


def write_film(
    model: Model,
    trajectory: Trajectory,
    path: Path,
    *,
    camera: Camera | None = None,
    cones: Sequence[FrictionCone] = (),
    forces: bool = True,
    fps: float = 30.0,
    speed: float = 1.0,
    tell: Callable[[float], None] = lambda _share: None,
) -> int:
    """Write a run as MP4 (H.264) or GIF, by the ending, and return the number of its frames.

    camera: it stands still; without one the whole path is seen, and a long one is followed. forces:
    whether contact forces are shown, means over a frame; cones: those of friction with them. speed:
    simulated over shown time, 0.1 for a film ten times slower. tell: is called with the share that
    is done. Raises RunError for another ending, a run without a finite row, where ffmpeg is missing
    or fails, and where the file cannot be written.
    """
    options = film_options(path)
    encoder = _encoder()
    times, q = frames_of(model, trajectory, fps, speed)
    aspect = SIZE[0] / SIZE[1]
    seen, shifts = path_camera(model, q[:, None], aspect)
    if camera is not None:
        seen, shifts = camera, np.zeros_like(shifts)
    renderer, recorded = Renderer(model), RecordedForces(model, trajectory)
    if forces:
        renderer.show_forces(recorded.names, cones)

    def pictures() -> Iterator[Pixels]:
        for index, (time, row, shift) in enumerate(zip(times, q, shifts, strict=True)):
            acting = recorded.mean(time - speed / fps, time) if forces else None
            yield renderer.picture(row, camera_at(seen, shift), SIZE, finer=1, forces=acting)
            tell((index + 1) / len(times))

    with replacing(path) as temporary:
        _encode(encoder, pictures(), temporary, fps, options)
    return len(times)


def write_still(
    model: Model,
    trajectory: Trajectory,
    path: Path,
    *,
    time: float | None = None,
    camera: Camera | None = None,
    cones: Sequence[FrictionCone] = (),
    forces: bool = True,
) -> float:
    """Write a picture of a run at a time [s], its end unless given, as PNG; return its row's time.

    The other parameters as of ``write_film``. Raises RunError for another ending and a run without
    a finite row.
    """
    from matplotlib.image import imsave

    if path.suffix.lower() != ".png":
        raise RunError(f"{path}: stills are PNG; let the name end in .png.")
    times, rows = _finite(model, trajectory)
    row = len(times) - 1 if time is None else int(np.abs(times - time).argmin())
    q = rows[row]
    seen = camera or path_camera(model, q[None, None], SIZE[0] / SIZE[1])[0]
    renderer, recorded = Renderer(model), RecordedForces(model, trajectory)
    if forces:
        renderer.show_forces(recorded.names, cones)
    at = float(times[row])
    picture = renderer.picture(q, seen, SIZE, forces=recorded.mean(at, at) if forces else None)
    with replacing(path) as temporary:
        imsave(temporary, picture, format="png")
    return at


def film_options(path: Path) -> tuple[str, ...]:
    """Return what ffmpeg is told of a file's format; RunError for an ending that is not written."""
    ending = path.suffix.lower()
    if ending not in _FORMATS:
        raise RunError(f"{path}: films are MP4 or GIF; let the name end in .mp4 or .gif.")
    return _FORMATS[ending]


def frames_of(
    model: Model, trajectory: Trajectory, fps: float, speed: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return times (k,) [s] and positions (k, nq) of the frames."""
    for name, value in (("fps", fps), ("speed", speed)):
        if not 0.0 < value < np.inf:
            raise RunError(f"{name} is {value}: give a positive number.")
    time, q = _finite(model, trajectory)
    count = int((time[-1] - time[0]) * fps / speed + 1e-6) + 1
    if count > _MOST_FRAMES:
        raise RunError(f"the film would have {count} frames: choose a lower fps or higher speed.")
    times = time[0] + np.arange(count) * speed / fps
    rows = np.searchsorted(time, times + 1e-9, side="right") - 1
    return times, q[rows]


def _finite(model: Model, trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """Return times (n,) [s] and positions (n, nq) of the rows that can be shown."""
    data = trajectory.data
    q = data["q"].sel(position=coordinate_names(model.plant)[0]).to_numpy()
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise RunError("the run has no finite row to show: run the scenario again.")
    return data["time"].to_numpy()[finite], q[finite]


def camera_at(camera: Camera, shift: np.ndarray) -> Camera:
    """Return a camera that has gone along."""
    if not shift.any():
        return camera
    position, target = np.array(camera.position) + shift, np.array(camera.target) + shift
    return replace(camera, position=position.tolist(), target=target.tolist())


def _encoder() -> str:
    """Return the path of ffmpeg: that of the package imageio-ffmpeg, or of the system."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        program = shutil.which("ffmpeg")
    if program is None:
        raise RunError("a film needs ffmpeg, which is not here: pip install 'footfall[video]'.")
    return program


def _encode(
    encoder: str, pictures: Iterator[Pixels], path: Path, fps: float, options: Sequence[str]
) -> None:
    """Send pictures to ffmpeg, which writes a film that any player shows."""
    command = [
        *(encoder, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"),
        *("-s", f"{SIZE[0]}x{SIZE[1]}", "-r", f"{fps:g}", "-i", "-", "-an"),
        *(*options, str(path)),
    ]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints)
        try:
            _send(process, pictures)
        except BaseException:
            process.kill()
            raise
        finally:
            process.communicate()
        if process.returncode != 0:
            complaints.seek(0)
            lines = complaints.read().decode(errors="replace").strip().splitlines()
            reason = lines[-1] if lines else f"status {process.returncode}"
            raise RunError(f"ffmpeg cannot write the film ({reason}): choose another place for it.")


def _send(process: "subprocess.Popen[bytes]", pictures: Iterator[Pixels]) -> None:
    """Send pictures to a process, as long as it takes them."""
    if process.stdin is None:  # a pipe was asked for
        return
    with suppress(BrokenPipeError):  # its complaint says why
        for picture in pictures:
            process.stdin.write(np.ascontiguousarray(picture).tobytes())
