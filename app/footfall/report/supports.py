"""Places that carry the robots of a section, which several figures ask for."""

from collections.abc import Mapping

from footfall.feet.balance import Support
from footfall.report.section import Section


def supports_of(section: Section) -> Mapping[str, Support]:
    """Read them out of the runs, by name; to be read by ``section.read``."""
    return {name: Support(run.trajectory.data) for name, run in section.runs.items()}
