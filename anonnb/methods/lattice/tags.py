"""What is known of the nodes of a lattice: an array with a tag per node, and the parts of it that one check decides."""

Node = tuple[int, ...]

UNKNOWN, PASSES, FAILS = 0, 1, 2


def at_or_above(node: Node) -> tuple[slice, ...]:
    """The part of an array over the lattice that a node's generalizations fill, itself included."""
    return tuple(slice(level, None) for level in node)


def at_or_below(node: Node) -> tuple[slice, ...]:
    """The part of an array over the lattice that a node's specializations fill, itself included."""
    return tuple(slice(None, level + 1) for level in node)
