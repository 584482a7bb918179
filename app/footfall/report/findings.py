"""The page of an analysis, made from its folder: one HTML file that needs nothing else."""

from collections.abc import Callable, Mapping

import xarray as xr

from footfall.metrics import Metric
from footfall.report.findings_basin import basin_contents
from footfall.report.findings_bifurcation import bifurcation_contents
from footfall.report.findings_contents import Contents
from footfall.report.findings_convergence import convergence_contents
from footfall.report.findings_jump import jump_contents
from footfall.report.findings_leg_angles import leg_angles_contents
from footfall.report.findings_mass_ratio import mass_ratio_contents
from footfall.report.findings_pasibot_calibration import calibration_contents
from footfall.report.findings_pasibot_curves import curves_contents
from footfall.report.findings_ratio_sweep import ratio_sweep_contents
from footfall.report.findings_saved_shots import saved_shots_contents
from footfall.report.findings_speed_limit import speed_limit_contents
from footfall.report.findings_ugv_curves import ugv_curves_contents
from footfall.report.findings_ugv_map import torque_map_contents
from footfall.report.section import read_results
from footfall.report.tables import claim_rows, metric_rows, provenance_rows
from footfall.report.template import environment
from footfall.report.wording import MINUS
from footfall.run_folder import SCENARIO, RunFolder
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall.scenario.schema import Scenario
from footfall.studies import get_study
from footfall.studies.analysis import load_arrays

KINDS: dict[str, Callable[[xr.Dataset, Mapping[str, Metric]], Contents]] = {
    "Bifurcation": bifurcation_contents,
    "Basin": basin_contents,
    "MassRatio": mass_ratio_contents,
    "JumpSearch": jump_contents,
    "JumpTranscription": jump_contents,
    "JumpConvergence": convergence_contents,
    "RatioSweep": ratio_sweep_contents,
    "SavedShots": saved_shots_contents,
    "PasibotCurves": curves_contents,
    "PasibotCalibration": calibration_contents,
    "UgvCurves": ugv_curves_contents,
    "TorqueMap": torque_map_contents,
    "LegAngles": leg_angles_contents,
    "SpeedLimit": speed_limit_contents,
}
"""By the name of the analysis' class."""

_DIGITS = 10  # that an analysis is made for
_OF_SIMULATIONS = ("simulated_time", "realtime_factor")  # in a provenance


def write_findings(folder: RunFolder) -> None:
    """Write the page of an analysis into its folder.

    Raises RunError for a folder that lacks something or holds something damaged, ScenarioError for
    a damaged scenario.
    """
    saved = folder.read_metrics()
    scenario = parse_scenario(folder.read_scenario(), str(folder.path / SCENARIO))
    metrics, claims = read_results(folder, saved)
    data = load_arrays(folder.findings)
    provenance = folder.read_provenance()
    for name in _OF_SIMULATIONS:
        provenance.pop(name, None)
    analysis = scenario.analysis
    contents = KINDS.get(type(analysis).__name__)
    known = analysis.metrics() if analysis is not None else {}
    study = get_study(scenario.study)
    engine = str(saved["engine"])
    page = (
        environment()
        .get_template("findings.html.j2")
        .render(
            title=f"footfall: {saved['scenario']}",
            name=saved["scenario"],
            description=scenario.description,
            facts=_facts(scenario, engine),
            claims=claim_rows({engine: claims}, _DIGITS),
            contents=contents(data, metrics) if contents is not None else Contents(),
            metrics=metric_rows({engine: metrics}, known, _DIGITS),
            engine=engine,
            citation=study.citation if study is not None else "",
            provenance=provenance_rows(provenance),
            scenario=dump_scenario(scenario),
        )
    )
    folder.write_report(page)


def _facts(scenario: Scenario, engine: str) -> list[tuple[str, str]]:
    """What was computed, in short."""
    return [
        ("analysis", type(scenario.analysis).__name__),
        ("engine", engine),
        ("slope of the scenario", f"{scenario.terrain.slope_deg:g}°".replace("-", MINUS)),
    ]
