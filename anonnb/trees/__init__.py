"""Decision trees: growing them, their splits, and what their published counts disclose.

``tree`` is a grown tree. ``splits`` scores divisions of an attribute, ``searching`` finds the best one of some rows
from what ``counting`` counts, and ``growing`` grows trees with it. ``published_trees`` holds trees with hidden counts,
``disclosure`` finds the small counts that follow from the shown ones. Notebooks 08, 20 and 32.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Node": "tree",
    "Tree": "tree",
    "Grower": "growing",
    "grow": "growing",
    "planted": "growing",
    "Split": "splits",
    "PublishedTree": "published_trees",
    "MinedTree": "published_trees",
    "Disclosure": "disclosure",
    "disclosures": "disclosure",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
