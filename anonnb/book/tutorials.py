"""The notebooks as pages of the book, not run again: figures numbered, code folded, links within the book.

The last batch of reports has them with every stored frame, so that controls and players move; where no batch was made,
the committed notebooks show the first frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from anonnb.book.cited import with_citations
from anonnb.reports.catalogue import PARTS, is_navigation, plain_text, question_of, title_of
from anonnb.reports.html import without_machinery
from anonnb.reports.page_parts import number_figures

_LINK = re.compile(r"\]\((README|GLOSSARY)\.md")
_ELSEWHERE = {"README": "index.md", "GLOSSARY": "../glossary.md"}
_PATH = re.compile(r"\[([^\]]*)\]\((?:\.\./|coursework)[^)]*\)")  # files that are not in the book


def executed(notebooks: Iterable[Path], batch: Path | None) -> dict[str, Any]:
    """Return every notebook by name, from the batch if it ran there with its default parameters."""
    import nbformat

    result = {}
    for path in notebooks:
        ran = batch / "runs" / path.name if batch else path
        result[path.stem] = nbformat.read(ran if ran.is_file() else path, as_version=4)
    return result


def prepared(notebook: Any, classes: Mapping[str, str]) -> Any:
    """Turn a notebook into a page of the book.

    Parameters
    ----------
    notebook:
        An executed notebook.
    classes:
        The pages of the methods and attacks that it explains, by name.
    """
    import nbformat

    page = without_machinery(notebook)
    number_figures(page)
    page.cells = [cell for cell in page.cells if not is_navigation(cell)]
    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.source = _linked(with_citations(cell.source) if "## Further reading" in cell.source else cell.source)
        elif cell.cell_type == "code":
            tags = set(cell.metadata.get("tags", []))
            cell.metadata = {"tags": sorted({*(tags & {"remove-cell"}), "hide-input"})}
            for output in cell.outputs:
                _link_output(output)
    if classes:
        links = ", ".join(f"[{name}]({page})" for name, page in classes.items())
        page.cells.append(nbformat.v4.new_markdown_cell(f"In the reference: {links}.", id="reference"))
    page.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return page


def _linked(markdown: str) -> str:
    return _LINK.sub(lambda match: f"]({_ELSEWHERE[match[1]]}", _PATH.sub(r"\1", markdown))


def _link_output(output: Any) -> None:
    data = output.get("data", {})
    if "text/markdown" in data:
        data["text/markdown"] = _linked(data["text/markdown"])
    if "text/html" in data:
        data.pop("text/plain", None)
        data["text/html"] = re.sub(
            r'href="([\w.-]+)\.ipynb', r'href="\1.html', data["text/html"].replace("GLOSSARY.md", "../glossary.html")
        )


def overview(notebooks: Mapping[str, Any]) -> str:
    """Return the page that lists all notebooks by part, each with its question."""
    lines = ["# Tutorials", "", "Every notebook, as it ran last. `make lab` opens them where they can be changed.", ""]
    for sign, part in PARTS.items():
        names = [name for name in notebooks if name.startswith(sign)]
        if not names:
            continue
        lines += [f"## {part}", "", "| notebook | question |", "| --- | --- |"]
        lines += [_row(name, notebooks[name]) for name in names]
        listed = [f"{_short(name, notebooks[name])} <{name}>" for name in names]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {part}", ":titlesonly:", *listed, "```", ""]
    return "\n".join(lines)


def _short(name: str, notebook: Any) -> str:
    return f"{name.partition('_')[0]} {title_of(notebook).split(':')[0]}"


def _row(name: str, notebook: Any) -> str:
    title, question = (text.replace("|", r"\|") for text in (title_of(notebook), plain_text(question_of(notebook))))
    return f"| [{name.partition('_')[0]} {title}]({name}.ipynb) | {question} |"
