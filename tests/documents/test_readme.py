"""The README's examples run as they are printed, one after the other; what it leads to is there."""

import re
import shlex
import shutil
import tomllib

import pytest
import yaml

import anonnb
from anonnb import privacy
from anonnb.core.wording import percent
from tests.cli.test_commands import call
from tests.documents.examples import ROOT, blocks

README = ROOT / "README.md"


@pytest.mark.slow
def test_the_python_example_prints_what_follows_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "readme"}
    exec(compile("\n".join(blocks(README, "python")), "README.md", "exec"), names)
    assert capsys.readouterr().out == "".join(blocks(README, "text"))
    assert privacy.k(names["release"]) >= 10
    assert (tmp_path / "adult-k10.csv").exists()


@pytest.mark.slow
def test_the_commands_print_what_follows_them(tmp_path, monkeypatch):
    """Every line that is quoted, in its order; an ellipsis stands for lines that are left out."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "data" / "gbsg2.csv", tmp_path / "patients.csv")
    (block,) = blocks(README, "console")
    commands = block.split("$ ")[1:]
    assert len(commands) == 3
    for text in commands:
        command, *quoted = text.splitlines()
        printed = iter(call(*shlex.split(command)[1:]).stdout.splitlines())
        assert [line for line in quoted if line != "…" and line not in printed] == [], command


def test_who_is_alone_in_adult():
    table = anonnb.load("adult")
    sizes = table.frame.groupby(table.quasi, observed=True).size()
    text = " ".join(README.read_text(encoding="utf-8").split())
    share = percent((sizes == 1).sum() / len(table))
    assert f"Of the {len(table):,} people in the Adult census table" in text
    assert f"{share} are alone with eight everyday facts" in text
    assert len(table.quasi) == 8


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_to_files(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"\]\(((?!https?:|#)[^)#]+)", text)
    assert [link for link in found if not (ROOT / link).exists()] == []
    assert found


def test_every_extra_is_named():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert [
        name for name in extras if name not in ("dev",) and f"`{name}`" not in README.read_text(encoding="utf-8")
    ] == []


def test_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {project["version"], cited["version"]} == {anonnb.__version__}
    assert f"## [{anonnb.__version__}]" in changes
