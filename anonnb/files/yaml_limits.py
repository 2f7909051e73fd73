"""What a YAML file may not be: endless, nested beyond reason, or a few lines that stand for millions of values."""

from __future__ import annotations

import yaml

MAX_DEPTH, MAX_VALUES = 100, 100_000


def check_yaml(text: str) -> None:
    """Raise ValueError, with the line, if a YAML text contains itself, is nested too deeply or expands too far.

    PyYAML itself would run out of stack. Mistakes of syntax raise its own errors.

    >>> check_yaml("age: &a {north: *a}")
    Traceback (most recent call last):
    ...
    ValueError: line 1: 'a' contains itself; an alias (*) must not stand inside its anchor (&)
    """
    values = 0  # so far, with aliases expanded
    sizes: dict[str | None, int] = {}  # by anchor
    open_nodes: list[tuple[str | None, int]] = []
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in open_nodes):
                raise ValueError(
                    f"line {line}: {event.anchor!r} contains itself; an alias (*) must not stand inside its anchor (&)"
                )
            values += sizes.get(event.anchor, 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, values))
            values += 1
            if len(open_nodes) > MAX_DEPTH:
                raise ValueError(f"line {line}: it is nested more than {MAX_DEPTH} levels deep; write it flatter")
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            sizes[anchor] = values - before
        elif isinstance(event, yaml.ScalarEvent):
            values += 1
            sizes[event.anchor] = 1
        if values > MAX_VALUES:
            raise ValueError(f"line {line}: it holds more than {MAX_VALUES:,} values; split it")
