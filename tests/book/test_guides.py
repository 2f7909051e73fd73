"""The guides' examples run as they are printed, one after the other."""

import sys
from types import ModuleType

import pytest

from anonnb import attacks, methods
from anonnb.book.cited import PAGES
from anonnb.privacy.written import all_models
from tests.documents.examples import blocks, run_commands

GUIDES = sorted((PAGES / "guides").glob("*.md"))
# what the guides say that their examples lack
LACKING = {"add-a-method": {"card", "docstring", "progress is called"}, "add-an-attack": {"card", "docstring"}}


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in GUIDES if blocks(path, "python")], ids=lambda path: path.stem)
def test_python_examples(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for registry in (methods, attacks):
        registry.all()  # complete, before an example adds its own
        monkeypatch.setattr(registry._registry, "_classes", dict(registry._registry._classes))
    guide = ModuleType("guide")
    monkeypatch.setitem(sys.modules, "guide", guide)  # so that its classes can be pickled
    for block in blocks(path, "python"):
        exec(compile(block, path.name, "exec"), vars(guide))
    if path.stem in LACKING:
        findings = guide.findings
        assert set(findings["property"][~findings["passed"]]) == LACKING[path.stem]


@pytest.mark.slow
def test_shell_examples(tmp_path, monkeypatch):
    """The first guide makes the files of the others."""
    monkeypatch.chdir(tmp_path)
    assert run_commands(sorted(GUIDES, key=lambda path: path.stem != "publish-a-table"), tmp_path) >= 10


def test_all_models_are_in_the_guide():
    text = (PAGES / "guides" / "what-require-takes.md").read_text(encoding="utf-8")
    assert [name for name in all_models() if f"`~anonnb.privacy.{name}`: `{name}(" not in text] == []
