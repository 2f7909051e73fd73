"""Registries find the classes of a package by themselves."""

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from anonnb import attacks, methods
from anonnb.core import registry as registry_module
from anonnb.core.registry import PluginWarning, Registry


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a module that registers ``One``, and its registry."""
    folder = tmp_path / "somepackage"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from anonnb.core.registry import Registry\nregistry = Registry(__name__, __path__)\n"
        "def __getattr__(name):\n    return registry.attribute(name)\n"
    )
    (folder / "one.py").write_text("from somepackage import registry\n@registry.register\nclass One: pass\n")
    (folder / "_private.py").write_text("raise RuntimeError('private modules are not looked into')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "somepackage"]:
        del sys.modules[name]


def test_modules_are_found_when_a_name_is_asked_for(package):
    import somepackage

    (package / "two.py").write_text("raise RuntimeError('nobody asked for this module')\n")
    assert "somepackage.one" not in sys.modules
    assert somepackage.One.__name__ == "One"
    assert somepackage.registry.get("One") is somepackage.One
    (package / "two.py").unlink()
    assert list(somepackage.registry.all()) == ["One"]
    assert somepackage.registry.get("One") is somepackage.One
    with pytest.raises(KeyError, match="'Two' is not registered in somepackage; known: One"):
        somepackage.registry.get("Two")
    with pytest.raises(AttributeError, match="has no attribute 'Two'"):
        somepackage.Two  # noqa: B018


def test_a_broken_module_is_an_error_each_time(package):
    (package / "two.py").write_text("raise RuntimeError('broken')\n")
    import somepackage

    for _ in range(2):
        with pytest.raises(RuntimeError, match="broken"):
            somepackage.registry.all()


def test_threads_that_ask_at_once_all_get_an_answer(package):
    (package / "slow.py").write_text(
        "import time\nfrom somepackage import registry\ntime.sleep(0.2)\n@registry.register\nclass Slow: pass\n"
    )
    import somepackage

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: somepackage.registry.get("Slow"), range(4)))
    assert found == [somepackage.Slow] * 4


def test_a_module_may_ask_while_another_thread_fills_the_registry(package):
    """One thread imports the module itself, the other one through the registry: neither waits for ever."""
    (package / "asks.py").write_text(
        "import time\nfrom somepackage import registry\ntime.sleep(0.2)\nOne = registry.get('One')\n"
    )
    import somepackage

    with ThreadPoolExecutor(2) as pool:
        module = pool.submit(import_module, "somepackage.asks")
        known = pool.submit(somepackage.registry.all)
        assert module.result(10).One is known.result(10)["One"]


def test_two_classes_cannot_share_a_name():
    registry = Registry("nowhere", [])
    first = registry.register(type("Same", (), {"__module__": "a"}))
    assert registry.register(type("Same", (), {"__module__": "a"})) is not first, "a module may be reloaded"
    with pytest.raises(ValueError, match="the name Same is taken by a; choose another"):
        registry.register(type("Same", (), {"__module__": "b"}))


@pytest.mark.parametrize("package", [methods, attacks])
def test_what_is_registered_is_reached_by_name_and_by_attribute(package):
    known = package.all()
    assert list(known) == sorted(known)
    for name, cls in known.items():
        assert getattr(package, name) is package.get(name) is cls
        assert name in dir(package)
    with pytest.raises(KeyError, match="'Nothing' is not registered"):
        package.get("Nothing")
    assert not hasattr(package, "Nothing")


def test_what_another_package_offers_and_cannot_be_used_is_left_out_with_a_warning(monkeypatch):
    class Good:
        constraints = anonymize = classmethod(lambda cls: {})

    def broken():
        raise ImportError("No module named 'nonexisting'")

    offers = [("'Bad' of bp", broken), ("'Odd' of bp", lambda: "no class"), ("'Good' of gp", lambda: Good)]
    monkeypatch.setattr(registry_module, "offered", lambda group: offers)
    registry = Registry("nowhere", [], "anonymize")
    with pytest.warns(PluginWarning) as caught:
        assert list(registry.all()) == ["Good"]
    told = [str(warning.message) for warning in caught]
    assert told[0] == (
        "'Bad' of bp, offered for nowhere, is left out: No module named 'nonexisting'; mend or uninstall its package"
    )
    assert "'Odd' of bp, offered for nowhere, is left out: it is no class with anonymize" in told[1]
