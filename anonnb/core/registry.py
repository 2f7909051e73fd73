"""A registry of classes that live in the modules of one package, or of other packages, found without a list by hand."""

import re
import warnings
from importlib import import_module
from pathlib import Path
from threading import local

from anonnb.core.card import with_card
from anonnb.core.lazy import offered
from anonnb.core.parameters.described import with_inherited_parameters

REGISTERED = re.compile(r"^@(?:\w+\.)?register\n(?:[@ )].*\n)*class (\w+)", re.MULTILINE)


class PluginWarning(UserWarning):
    """What another package offers cannot be used."""


class Registry:
    """Registered classes of a package; the module of a class is imported when its name is first asked for.

    The sources tell which module that is: they hold ``@register`` above ``class``. A class that is registered otherwise
    is found once everything is imported. Modules and folders whose name begins with an underscore hold helpers and are
    passed over. Installed packages add classes through entry points whose group is the name of the package, such as
    ``anonnb.methods``.
    """

    def __init__(self, package: str, path: list[str], verb: str = "__init__"):
        """``verb`` is the method that a class of the package must have."""
        self._package, self._path, self._verb = package, path, verb
        self._classes: dict[str, type] = {}
        self._homes: dict[str, str] | None = None
        self._complete, self._here = False, local()

    def register(self, cls: type) -> type:
        """Class decorator: make a class known by its name; its docstring gets inherited parameters and the card."""
        known = self._classes.get(cls.__name__)
        if known is not None and known.__module__ != cls.__module__:
            raise ValueError(f"the name {cls.__name__} is taken by {known.__module__}; choose another")
        self._classes[cls.__name__] = with_card(with_inherited_parameters(cls))
        return cls

    def all(self) -> dict[str, type]:
        """Import everything and give every registered class by name, sorted."""
        if not self._complete and not getattr(self._here, "importing", False):
            self._import_all()
        return dict(sorted(self._classes.items()))

    def _import_all(self) -> None:
        """Import everything; a module that asks for all names while it is imported sees what is there by then.

        Threads that ask at the same time import the same modules, which Python does once, while the others wait. A lock
        around it could wait for a thread that waits for it: one that imports a module which asks for a name.
        """
        self._here.importing = True
        try:
            for module in self._sources():
                import_module(module)
            self._import_installed()
            self._complete = True  # not before: a failure must show in the next call, too, and to every thread
        finally:
            self._here.importing = False

    def _sources(self) -> dict[str, Path]:
        """Find the modules of the package, each with its source file; nothing is imported."""
        sources = {}
        for folder in map(Path, self._path):
            for file in sorted(folder.rglob("*.py")):
                parts = file.relative_to(folder).with_suffix("").parts
                if parts[-1] == "__init__":
                    parts = parts[:-1]
                if parts and not any(part.startswith("_") for part in parts):
                    sources[".".join((self._package, *parts))] = file
        return sources

    def _find(self, name: str) -> type | None:
        """Find a class by importing the one module whose source registers it; None where no source does."""
        if name not in self._classes and not self._complete:
            if self._homes is None:
                texts = {module: file.read_text(encoding="utf-8") for module, file in self._sources().items()}
                self._homes = {cls: module for module, text in texts.items() for cls in REGISTERED.findall(text)}
            if name in self._homes:
                import_module(self._homes[name])
        return self._classes.get(name)

    def _import_installed(self) -> None:
        """Classes of other packages; one that does not fit is left out with a warning, and all others stay usable."""
        for name, load in offered(self._package):
            try:
                cls = load()
                if not (isinstance(cls, type) and hasattr(cls, self._verb) and hasattr(cls, "constraints")):
                    raise TypeError(f"it is no class with {self._verb} that inherits from {self._package}.base")
                self.register(cls)
            except Exception as error:
                warnings.warn(
                    f"{name}, offered for {self._package}, is left out: {error}; mend or uninstall its package",
                    PluginWarning,
                    stacklevel=2,
                )

    def get(self, name: str) -> type:
        """Give the class with this name; raises KeyError naming the known ones."""
        cls = self._find(name) or self.all().get(name)
        if cls is None:
            known = ", ".join(self.all()) or "none"
            raise KeyError(f"{name!r} is not registered in {self._package}; known: {known}")
        return cls

    def attribute(self, name: str) -> type | list[str]:
        """Serve a package's ``__getattr__``: a class by name, or AttributeError; ``__all__`` is what ``*`` brings."""
        if name == "__all__":
            return list(self.all())
        is_module = f"{self._package}.{name}" in self._sources()
        cls = None if name.startswith("_") or is_module else self._find(name) or self.all().get(name)
        if cls is None:
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        return cls
