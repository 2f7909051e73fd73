"""Decision trees: growing them, their splits, and what their published counts disclose.

``tree`` is a grown tree. ``splits`` scores divisions of an attribute, ``searching`` counts classes and finds the best
division of some rows, and ``growing`` grows trees with it. ``published_trees`` holds trees with hidden counts,
``disclosure`` finds the small counts that follow from the shown ones. Notebooks 08, 20 and 32.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.trees.disclosure import Disclosure, disclosures
    from anonnb.trees.growing import Grower, grow, planted
    from anonnb.trees.published_trees import MinedTree, PublishedTree
    from anonnb.trees.splits import Split
    from anonnb.trees.tree import Node, Tree
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
