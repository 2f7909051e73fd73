"""Tables as a German spreadsheet saves them, on the command line."""

import sys

import pandas as pd
import pytest

from tests.cli.test_commands import call

ROLES = ("--quasi", "geboren,größe", "--sensitive", "krank")
AS_WRITTEN = ("--decimal", ",", "--dayfirst")


@pytest.fixture
def patients(tmp_path):
    """24 patients: semicolons, Windows-1252, decimal commas, days first."""
    rows = [f"{1 + i:02d}.0{1 + i % 9}.{1960 + i};1,{60 + i};{'Grippe' if i % 2 else 'Husten'}" for i in range(24)]
    path = tmp_path / "patienten.csv"
    path.write_bytes("\n".join(["geboren;größe;krank", *rows, ""]).encode("cp1252"))
    return path


@pytest.fixture
def release(patients, tmp_path):
    out = tmp_path / "out.csv"
    return call("anonymize", patients, *ROLES, *AS_WRITTEN, "--method", "Mondrian", "--k", 3, "-o", out), out


def test_the_options_are_named_where_they_help(patients):
    result = call("audit", patients, *ROLES)
    assert result.exit_code == 0, result.stderr
    assert "--dayfirst reads them" in result.stderr
    assert "--decimal , reads them" in result.stderr
    assert "read_table_file" not in result.stderr
    result = call("audit", patients, *ROLES, *AS_WRITTEN)
    assert result.exit_code == 0, result.stderr
    assert "reads them" not in result.stderr


def test_commas_and_days_first_are_blurred_as_numbers_and_dates(release):
    result, out = release
    assert result.exit_code == 0, result.stderr
    frame = pd.read_csv(out)
    assert frame["größe"].str.fullmatch(r"\[1\.\d+–1\.\d+\]").all()
    assert frame["geboren"].str.fullmatch(r"\[\d{4}-.*–\d{4}-.*\]").all()


def test_a_release_is_attacked_beside_the_original(release, patients):
    _, out = release
    result = call("attack", out, "--against", patients, *ROLES, *AS_WRITTEN, "--attack", "Homogeneity")
    assert result.exit_code == 0, result.stderr
    assert " of 24 people" in result.stdout


def test_a_report_proposes_the_options_that_it_takes(patients, monkeypatch, tmp_path):
    """Advice that can be followed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anonnb.reports.run", lambda *_, **__: sys.exit(0))
    said = call("report", "50", "--data", patients, *ROLES).stderr
    assert "--decimal ," in said
    assert "--dayfirst" in said
    assert "read_table_file" not in said
    assert "--decimal" not in call("report", "50", "--data", patients, *ROLES, *AS_WRITTEN).stderr
