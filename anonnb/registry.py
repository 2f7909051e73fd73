"""A registry of classes that live in the modules of one package, found without listing them by hand."""

from importlib import import_module
from pkgutil import iter_modules


class Registry:
    """Registered classes of a package; its modules are imported when a name is first asked for."""

    def __init__(self, package: str, path: list[str]):
        self._package, self._path = package, path
        self._classes: dict[str, type] = {}
        self._complete = False

    def register(self, cls: type) -> type:
        """Class decorator: make the class known under its name."""
        known = self._classes.get(cls.__name__)
        if known is not None and known.__module__ != cls.__module__:
            raise ValueError(f"the name {cls.__name__} is taken by {known.__module__}; choose another")
        self._classes[cls.__name__] = cls
        return cls

    def all(self) -> dict[str, type]:
        """Every registered class by name, sorted."""
        if not self._complete:
            self._complete = True  # before the imports: a module may ask for a name while it is imported
            try:
                for module in iter_modules(self._path):
                    if not module.name.startswith("_"):
                        import_module(f"{self._package}.{module.name}")
            except BaseException:
                self._complete = False  # the next call must fail again, not answer with half of them
                raise
        return dict(sorted(self._classes.items()))

    def get(self, name: str) -> type:
        """The class with this name; raises KeyError naming the known ones."""
        known = self.all()
        if name not in known:
            raise KeyError(f"{name!r} is not registered in {self._package}; known: {', '.join(known) or 'none'}")
        return known[name]

    def attribute(self, name: str) -> type:
        """For a package's ``__getattr__``: a class by name, or AttributeError."""
        if name not in self._classes and (name.startswith("_") or name not in self.all()):
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        return self._classes[name]
