"""Build the book: pages are laid out in a folder, Sphinx makes the site, and a warning is a failure."""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anonnb
from anonnb.book import commands, entries, reference, tutorials
from anonnb.book.cited import PAGES
from anonnb.book.links import broken_links
from anonnb.reports.catalogue import title_of
from anonnb.reports.plan import notebook_files, notebooks_folder

OUT, BATCH = Path("reports/book"), Path("reports/latest")
JOBS = 2
ROOT = Path(__file__).parents[2]

SETTINGS: dict[str, Any] = {
    "project": "anonnb",
    "author": "anonnb contributors",
    "copyright": "anonnb contributors, MIT licence",
    "version": anonnb.__version__,
    "release": anonnb.__version__,
    "extensions": [
        *("myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinxcontrib.bibtex"),
        "anonnb.book.extension",
    ],
    "bibtex_bibfiles": ["bibliography.bib"],
    "bibtex_reference_style": "author_year",
    "bibtex_default_style": "anonnb",
    "nb_execution_mode": "off",
    "nb_render_markdown_format": "myst",
    "nb_ipywidgets_js": {},
    "nb_merge_streams": True,
    "nb_code_prompt_show": "Show the code",
    "nb_code_prompt_hide": "Hide the code",
    "myst_enable_extensions": ["dollarmath", "amsmath", "deflist", "attrs_inline"],
    "myst_heading_anchors": 3,
    "smartquotes": False,  # --data and "loss" are meant to the letter
    "html_math_renderer": "mathml",
    "html_theme": "sphinx_book_theme",
    "html_title": "anonnb",
    "html_static_path": ["static"],
    "html_js_files": ["search.js"],
    "html_context": {"default_mode": "light"},  # figures are drawn on white
    "html_show_sourcelink": False,
    "html_sidebars": {"_modules/**": [], "tests/**": []},  # sources have no place in the table of contents
    "toc_object_entries": False,
    "html_copy_source": False,
    "html_theme_options": {
        "use_download_button": False,
        "use_fullscreen_button": False,
        "show_toc_level": 2,
        "home_page_in_toc": True,
        "navigation_with_keys": False,
    },
    "autodoc_typehints": "none",
    "autodoc_member_order": "bysource",
    "autodoc_class_signature": "mixed",
    "napoleon_google_docstring": False,
    "napoleon_use_rtype": False,
    "napoleon_custom_sections": [("Guarantees", "params_style")],
    "viewcode_follow_imported_members": True,
    "python_use_unqualified_type_names": True,
    "suppress_warnings": ["config.cache"],
}


class BadBook(RuntimeError):
    """The book cannot be built, or not without a warning; the message holds every warning.

    >>> raise BadBook("the book has warnings; mend each of them:\\nindex.md:3: WARNING: …")
    Traceback (most recent call last):
    ...
    anonnb.book.building.BadBook: the book has warnings; mend each of them:
    index.md:3: WARNING: …
    """


def build(out: str | os.PathLike = OUT, batch: str | os.PathLike | None = BATCH, *, jobs: int = JOBS) -> Path:
    """Build the site and return its folder, whose first page is ``index.html``.

    Parameters
    ----------
    out:
        The folder of the site; an older one is replaced when the new one is whole.
    batch:
        The folder of a batch of reports; notebooks that it does not have are taken as they are committed.

    Raises
    ------
    BadBook
        If Sphinx has anything to warn of, if a link leads nowhere, or if a page would load something from the net.
    """
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent.resolve(), prefix=".book-") as folder:
        pages, site = Path(folder, "pages"), Path(folder, "site")
        lay_out(pages, Path(batch) if batch and Path(batch, "runs").is_dir() else None)
        _make(pages, site, Path(folder, "doctrees"), jobs)
        if broken := broken_links(site):
            raise BadBook("the book has links that lead nowhere; mend each of them:\n" + "\n".join(broken))
        if out.exists():
            shutil.rmtree(out)
        site.rename(out)
    return out


def lay_out(folder: Path, batch: Path | None) -> None:
    """Write every page of the book, in Markdown or as a notebook, into a new folder."""
    shutil.copytree(PAGES, folder)
    notebooks = tutorials.executed(notebook_files(), batch)
    titles = {name: title_of(notebook).split(":")[0] for name, notebook in notebooks.items()}
    classes = _write_entries(folder, titles)
    _write_tutorials(folder, notebooks, classes)
    rooms, own = reference.rooms(), entries.registered()
    for room, names in rooms.items():
        _write(folder / "reference" / f"{room}.md", reference.room_page(room, names, own.get(room)))
    _write(folder / "reference" / "index.md", reference.index_page(rooms))
    _write(folder / "reference" / "command-line.md", commands.commands_page())
    _take_over(folder)


def _take_over(folder: Path) -> None:
    """Return the pages that live elsewhere in the repository, with links that lead somewhere in the book."""
    notebooks = notebooks_folder()
    _write(folder / "glossary.md", _linked(notebooks / "GLOSSARY.md", "tutorials/"))
    _write(folder / "changelog.md", _linked(ROOT / "CHANGELOG.md", "tutorials/"))
    _write(folder / "guides" / "run-a-course.md", _linked(notebooks / "coursework" / "README.md", "../tutorials/"))
    shutil.copy(notebooks / "figures" / "readme.png", folder)


def _linked(page: Path, tutorials: str) -> str:
    """Let links to notebooks lead to the tutorials; links to what is not in the book become plain text."""
    text = re.sub(
        r"\]\((?:\.\./|notebooks/)?(\d\d[a-z]?_\w+\.ipynb)", rf"]({tutorials}\1", page.read_text(encoding="utf-8")
    )
    return re.sub(rf"\[([^\]]*)\]\((?!https?:|#|{re.escape(tutorials)})[^)]*\)", r"\1", text)


def _write_entries(folder: Path, titles: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Write the pages of methods, attacks and tests; return the pages by the notebook that explains them."""
    files = {path.stem: path for path in notebook_files()}
    explained: dict[str, dict[str, str]] = {name: {} for name in titles}
    for room, classes in entries.registered().items():
        for name, cls in classes.items():
            notebook = entries.notebook_of(cls, files)
            page = entries.entry_page(cls, notebook, titles.get(notebook, ""))
            _write(folder / "reference" / room / f"{name}.md", page)
            for test in entries.tests_of(cls):
                _write(folder / "tests" / f"{entries.page_of(test)}.md", entries.test_page(test))
            if notebook:
                explained[notebook][name] = f"../reference/{room}/{name}.md"
    return explained


def _write_tutorials(folder: Path, notebooks: Mapping[str, Any], classes: Mapping[str, dict[str, str]]) -> None:
    import nbformat

    for name, notebook in notebooks.items():
        _write(folder / "tutorials" / f"{name}.ipynb", nbformat.writes(tutorials.prepared(notebook, classes[name])))
    _write(folder / "tutorials" / "index.md", tutorials.overview(notebooks))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _make(pages: Path, site: Path, doctrees: Path, jobs: int) -> None:
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    warnings = io.StringIO()
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            pages, None, site, doctrees, "html", SETTINGS, status=None, warning=warnings, freshenv=True, parallel=jobs
        )
        app.build(force_all=True)
    messages = _plain(warnings.getvalue(), pages)
    if messages or app.statuscode:
        raise BadBook(f"the book has warnings; mend each of them:\n{messages}")


def _plain(text: str, pages: Path) -> str:
    """Remove the colours of a terminal and the folder in which pages were laid out from warnings."""
    lines = re.sub(r"\x1b\[[\d;]*m", "", text).replace(f"{pages}{os.sep}", "").splitlines()
    return "\n".join(line for line in lines if line.strip())
