"""Studies: one module a published machine, with its parameters, measures, claims and wiring."""

from footfall.errors import ScenarioError
from footfall.studies.biped import STUDY as BIPED
from footfall.studies.study import Study

STUDIES: dict[str, Study] = {BIPED.name: BIPED}


def get_study(name: str) -> Study | None:
    """Return the study of a name, or None for the empty one.

    Raises ScenarioError for an unknown name.
    """
    if not name:
        return None
    if name not in STUDIES:
        message = (
            f"study is '{name}': choose one of {', '.join(STUDIES)}, or leave it empty for "
            "a machine of your own."
        )
        raise ScenarioError(message)
    return STUDIES[name]
