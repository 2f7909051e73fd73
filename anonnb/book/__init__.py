"""The book: one site with the notebooks, guides, the reference of every public name, the command line and the sources.

``building`` lays the pages out and lets Sphinx make the site; ``tutorials`` takes the executed notebooks, ``entries``
makes a page for every method and attack, ``reference`` those of the other public names (``public_names``), ``commands``
those of the command line, ``cited`` finds the works that a text cites, and ``extension`` is what Sphinx is taught.
Texts that people write lie in ``pages``. It is the top room: it knows all others, and none knows it.
"""

from typing import TYPE_CHECKING

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_imports

needs(__name__, "book", "docutils", "myst_nb", "nbformat", "pybtex", "sphinx", "sphinx_book_theme", "sphinxcontrib")

if TYPE_CHECKING:
    from anonnb.book.building import BadBook, build
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
