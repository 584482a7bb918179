"""What a report says of the goalkeeper: its pictures and tables, and what to know about them."""

from footfall.report.figures import coordinate_figures
from footfall.report.findings_contents import Table
from footfall.report.goalkeeper_curves import keeper_over_time
from footfall.report.goalkeeper_plays import read_plays
from footfall.report.goalkeeper_scene import scene_pictures
from footfall.report.goalkeeper_shot import shot_over_time, shot_table
from footfall.report.goalkeeper_told import angle_table, notes_of
from footfall.report.goalkeeper_top import moments, top_view
from footfall.report.picture import Picture
from footfall.report.section import Section


def figures(section: Section) -> list[Picture]:
    """The field in space and from above, the keeper over time, a shot; then the coordinates."""
    plays = read_plays(section)
    found = [
        *scene_pictures(section, plays.first),
        top_view(plays, section.machine.model),
        keeper_over_time(plays),
    ]
    if plays.first.sight.free:
        found.append(shot_over_time(section, plays))
    return [*found, *coordinate_figures(section)]


def tables(section: Section) -> list[Table]:
    """The angles at several moments, and what became of a shot."""
    plays = read_plays(section)
    found = [angle_table(plays.first, moments(plays.first))]
    if plays.first.sight.free:
        found.append(shot_table(plays))
    return found


def notes(section: Section) -> list[str]:
    """What a reader should know, a paragraph each."""
    return notes_of(read_plays(section))
