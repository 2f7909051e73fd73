"""The README's examples run as they are printed, one after the other."""

import re
from pathlib import Path

import pytest

from anonnb import methods, privacy
from anonnb.methods import _registry

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.slow
def test_python_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    methods.all()  # complete, before the example adds its own
    monkeypatch.setattr(_registry, "_classes", dict(_registry._classes))
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {"__name__": "readme"}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert privacy.k(names["release"]) >= 10
    assert (tmp_path / "adult-k10.csv").exists()
    made = names["frame"].query("name == 'made'").set_index("method")["value"]
    assert made.to_dict() == {"original": 1, "SortedRuns": 1, "Mondrian": 1}
    assert privacy.k(names["SortedRuns"](k=7).anonymize(names["table"])) >= 7
