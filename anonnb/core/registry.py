"""A registry of classes that live in the modules of one package, or of other packages, found without a list by hand."""

import warnings
from importlib import import_module
from pkgutil import walk_packages
from threading import local

from anonnb.core.card import with_card
from anonnb.core.parameters.described import with_inherited_parameters
from anonnb.core.plugins import offered


class PluginWarning(UserWarning):
    """What another package offers cannot be used."""


class Registry:
    """Registered classes of a package; its modules are imported when a name is first asked for.

    Modules and folders whose name begins with an underscore hold helpers and are passed over. Installed packages add
    classes through entry points whose group is the name of the package, such as ``anonnb.methods``.
    """

    def __init__(self, package: str, path: list[str], verb: str = "__init__"):
        """``verb`` is the method that a class of the package must have."""
        self._package, self._path, self._verb = package, path, verb
        self._classes: dict[str, type] = {}
        self._complete, self._here = False, local()

    def register(self, cls: type) -> type:
        """Class decorator: make a class known by its name; its docstring gets inherited parameters and the card."""
        known = self._classes.get(cls.__name__)
        if known is not None and known.__module__ != cls.__module__:
            raise ValueError(f"the name {cls.__name__} is taken by {known.__module__}; choose another")
        self._classes[cls.__name__] = with_card(with_inherited_parameters(cls))
        return cls

    def all(self) -> dict[str, type]:
        """Every registered class by name, sorted."""
        if not self._complete and not getattr(self._here, "importing", False):
            self._import_all()
        return dict(sorted(self._classes.items()))

    def _import_all(self) -> None:
        """Import everything; a module that asks for a name while it is imported sees what is there by then.

        Threads that ask at the same time import the same modules, which Python does once, while the others wait. A lock
        around it could wait for a thread that waits for it: one that imports a module which asks for a name.
        """
        self._here.importing = True
        try:
            self._import_own()
            self._import_installed()
            self._complete = True  # not before: a failure must show in the next call, too, and to every thread
        finally:
            self._here.importing = False

    def _import_own(self) -> None:
        prefix = f"{self._package}."
        for module in walk_packages(self._path, prefix):
            if not any(part.startswith("_") for part in module.name.removeprefix(prefix).split(".")):
                import_module(module.name)

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
        """The class with this name; raises KeyError naming the known ones."""
        known = self.all()
        if name not in known:
            raise KeyError(f"{name!r} is not registered in {self._package}; known: {', '.join(known) or 'none'}")
        return known[name]

    def attribute(self, name: str) -> type | list[str]:
        """For a package's ``__getattr__``: a class by name, or AttributeError; ``__all__`` is what ``*`` brings."""
        if name == "__all__":
            return list(self.all())
        if name not in self._classes and (name.startswith("_") or name not in self.all()):
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        return self._classes[name]
