"""The README's examples run as they are printed, one after the other; what it leads to is there."""

import re
import tomllib

import pytest
import yaml

import anonnb
from anonnb import privacy
from tests.documents.examples import ROOT, blocks, run_commands

README = ROOT / "README.md"


@pytest.mark.slow
def test_python_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "readme"}
    exec(compile("\n".join(blocks(README, "python")), "README.md", "exec"), names)
    assert privacy.k(names["release"]) >= 10
    assert (tmp_path / "adult-k10.csv").exists()


@pytest.mark.slow
def test_shell_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_commands([README], tmp_path) == 3


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
