"""The command ``anonnb report``: plans by name, --only, --resume, what it says at the end."""

import pytest
from click.testing import CliRunner

from anonnb.cli import main


@pytest.fixture
def course(tmp_path, make_notebook, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("anonnb.reports.batch._package_fingerprint", lambda: "package")
    make_notebook(
        tmp_path / "notebooks" / "13_good.ipynb", "# Good", "K = 1", "from anonnb.reports import record\nrecord('k', K)"
    )
    make_notebook(tmp_path / "notebooks" / "31_bad.ipynb", "# Bad", "K = 1", "K / 0")
    (tmp_path / "reports" / "plans").mkdir(parents=True)
    (tmp_path / "reports" / "plans" / "small.yaml").write_text(
        "- {notebook: 13_good, matrix: {K: [2, 5]}}\n- {notebook: 31_bad}\n"
    )
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


@pytest.mark.slow
def test_a_plan_by_name_with_a_sweep_and_only_a_part_of_it(course):
    first = call("--plan", "small", "--only", "13", "--jobs", 2, "--resume")
    assert first.exit_code == 0, first.stderr
    assert first.stdout == f"2 of 2 notebooks ran: {course / 'reports/latest/index.html'}\n"
    # No terminal here, so there is a line for each notebook.
    assert "2 of 2: 13_good-K=" in first.stderr
    latest = course / "reports" / "latest"
    assert "13_good-comparison.html" in (latest / "index.html").read_text()
    assert "<code>anonnb report --plan small --only 13 --jobs 2</code>" in (latest / "index.html").read_text()
    assert 'href="13_good-K%3D5.html"' in (latest / "13_good-comparison.html").read_text()
    second = call("--plan", "small")
    assert second.exit_code == 1
    assert second.stdout == f"2 of 3 notebooks ran (2 finished before), 1 failed: {latest / 'index.html'}\n"
    assert "31_bad: failed, cell 3" in second.stderr


def test_the_command_on_the_index_names_no_folder(course, monkeypatch):
    given = []

    def run(*_, command, **__):
        given.append(command)
        raise OSError("enough")

    monkeypatch.setattr("anonnb.reports.run", run)
    plan = course / "reports" / "plans" / "small.yaml"
    call("--plan", plan, "--out", course / "my out", "-p", f"K={course}/my k.csv", "-p", f"K=['{course}/a.csv']")
    call(course / "a=b" / "13_good.ipynb", "-p", "K=5")
    assert given == [
        """anonnb report --plan small.yaml --parameter 'K=my k.csv' --parameter 'K=['"'"'a.csv'"'"']' --out 'my out'""",
        "anonnb report 13_good.ipynb --parameter K=5",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plan", "none"], "there is no plan 'none'"),
        (["--plan", "small", "--only", "13,99"], "no run has a name that starts with '99'"),
        (["--only", "99"], "no run has a name that starts with '99'; there are 13_good, 31_bad"),
    ],
)
def test_what_is_not_there_is_told_in_one_sentence(course, arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (course / "reports" / "latest").exists()
