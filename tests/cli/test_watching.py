"""Engines that show nothing while they compute are not watched."""

import pytest

from footfall.cli import main


@pytest.mark.parametrize("scenario", ["compass/goswami", "rimless_wheel/roll"])
def test_a_closed_form_cannot_be_watched(scenario, tmp_path, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["run", scenario, "--view", "--out", str(tmp_path / "run")])
    assert leaving.value.code == 2
    err = capsys.readouterr().err
    assert "cannot be watched" in err
    assert "http" not in err  # no page was opened
    assert not (tmp_path / "run").exists()
