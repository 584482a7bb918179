"""Table of the numbers that a seed drew, on a page."""

from footfall.overrides import read_dumped
from footfall.report.contents import Table
from footfall.report.section import Section
from footfall.report.wording import number
from footfall.scenario.io import dump_scenario
from footfall.scenario.randomise import value_at


def drawn_tables(section: Section) -> list[Table]:
    """A table of what the scenario's seed drew; nothing where it draws nothing."""
    randomise = section.scenario.randomise
    if not randomise:
        return []
    mapping = read_dumped(dump_scenario(section.scenario))
    rows = [
        (path, number(value_at(mapping, path)), str(one)) for path, one in sorted(randomise.items())
    ]
    return [Table(f"Drawn from seed {section.scenario.seed}", ("field", "value", "of"), rows)]
