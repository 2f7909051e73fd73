"""Parameters: how methods, attacks and models show themselves: k, and what differs from the defaults."""

from dataclasses import fields


class Parameters:
    """Mixin for frozen dataclasses of parameters."""

    def __str__(self) -> str:
        shown = [
            f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr and getattr(self, f.name) != f.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"
