"""The runner's cache key: it follows every source file of the package, in whatever folder."""

import importlib
import os
import sys
from pathlib import Path

import anonnb
from anonnb.core import tasks
from anonnb.core.shipped import digest_of


def sources():
    """Every source file of the package, found without the runner's help."""
    walk = os.walk(Path(anonnb.__file__).resolve().parent)
    return {Path(folder, name) for folder, _, names in walk for name in names if name.endswith(".py")}


def test_the_key_reads_every_source_file(monkeypatch):
    read, plain = set(), Path.read_bytes

    def watched(path):
        read.add(path.resolve())
        return plain(path)

    monkeypatch.setattr(Path, "read_bytes", watched)
    assert tasks.code_version.__wrapped__() == tasks.code_version()
    assert read == sources()
    assert {"__init__.py", "mondrian.py", "tasks.py"} <= {path.name for path in read}


def test_the_key_follows_names_places_and_contents(tmp_path):
    nested = tmp_path / "methods" / "mondrian"
    nested.mkdir(parents=True)
    (nested / "cutting.py").write_text("k = 2")
    keys = [digest_of(tmp_path.rglob("*"), tmp_path)]
    (nested / "cutting.py").write_text("k = 3")
    keys.append(digest_of(tmp_path.rglob("*"), tmp_path))
    (nested / "cutting.py").rename(tmp_path / "methods" / "cutting.py")
    keys.append(digest_of(tmp_path.rglob("*"), tmp_path))
    (tmp_path / "methods" / "cutting.py").rename(tmp_path / "methods" / "cuts.py")
    keys.append(digest_of(tmp_path.rglob("*"), tmp_path))
    assert len(set(keys)) == 4
    assert keys[-1] == digest_of(reversed(list(tmp_path.rglob("*"))), tmp_path)


def test_a_changed_class_from_elsewhere_is_computed_anew(tmp_path, monkeypatch):
    """Somebody's own method is code as well; the cache must not remember what it did before."""
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for value in (1, 2):
        (tmp_path / "elsewhere.py").write_text(f"class Mine:\n    value = {value}\n")
        sys.modules.pop("elsewhere", None)
        importlib.invalidate_caches()
        mine = importlib.import_module("elsewhere").Mine
        found.append(tasks._foreign(("survey", [(mine, {})])))
    assert found[0] != found[1]
    assert tasks._foreign(("survey", 1)) == ""


PLUGIN = {
    "__init__.py": "",
    "methods.py": """
from dataclasses import dataclass
from anonnb.core.parameters.declared import Parameters
from plugin.inner.model import Model
@dataclass(frozen=True)
class Mine(Parameters):
    require: tuple = ()
""",
    "inner/__init__.py": "",
    "inner/model.py": "class Model:\n    pass\n",
}


def test_the_key_follows_every_file_of_a_foreign_package(tmp_path, monkeypatch):
    """A method imports its algorithm from another file of its package: a change there is a change of the method."""
    for name, text in PLUGIN.items():
        (tmp_path / "plugin" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "plugin" / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    methods = importlib.import_module("plugin.methods")
    monkeypatch.setitem(sys.modules, "plugin", sys.modules["plugin"])
    before = tasks._foreign((methods.Mine, {}))
    (tmp_path / "plugin" / "inner" / "model.py").write_text("class Model:\n    l = 3\n")
    assert tasks._foreign((methods.Mine, {})) != before


def test_the_key_follows_foreign_parameters_and_base_classes():
    """Our own method that requires somebody's model, and a class that inherits from somebody's."""

    class Model:
        pass

    class Further(anonnb.Table, Model):
        pass

    from anonnb.methods import Mondrian

    method = Mondrian(k=2)
    assert tasks._foreign((method,)) == ""
    object.__setattr__(method, "require", (Model(),))
    assert tasks._foreign((method,)) == tasks._foreign(({"a": Further},)) != ""
