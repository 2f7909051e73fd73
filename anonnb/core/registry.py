"""A registry of classes that live in the modules of one package, or of other packages, found without a list by hand."""

from importlib import import_module
from pkgutil import walk_packages

from anonnb.core.card import with_card
from anonnb.core.plugins import offered


class Registry:
    """Registered classes of a package; its modules are imported when a name is first asked for.

    Modules and folders whose name begins with an underscore hold helpers and are passed over. Installed packages add
    classes through entry points whose group is the name of the package, such as ``anonnb.methods``.
    """

    def __init__(self, package: str, path: list[str]):
        self._package, self._path = package, path
        self._classes: dict[str, type] = {}
        self._complete = False

    def register(self, cls: type) -> type:
        """Class decorator: make the class known under its name, and let its docstring end with its guarantee card."""
        known = self._classes.get(cls.__name__)
        if known is not None and known.__module__ != cls.__module__:
            raise ValueError(f"the name {cls.__name__} is taken by {known.__module__}; choose another")
        self._classes[cls.__name__] = with_card(cls)
        return cls

    def all(self) -> dict[str, type]:
        """Every registered class by name, sorted."""
        if not self._complete:
            self._complete = True  # before the imports: a module may ask for a name while it is imported
            try:
                self._import_own()
                self._import_installed()
            except BaseException:
                self._complete = False  # the next call must fail again, not answer with half of them
                raise
        return dict(sorted(self._classes.items()))

    def _import_own(self) -> None:
        prefix = f"{self._package}."
        for module in walk_packages(self._path, prefix):
            if not any(part.startswith("_") for part in module.name.removeprefix(prefix).split(".")):
                import_module(module.name)

    def _import_installed(self) -> None:
        for _, cls in offered(self._package):
            self.register(cls)

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
