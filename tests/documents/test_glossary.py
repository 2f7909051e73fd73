"""The glossary: words in order, links that lead somewhere, and no link from a notebook to a word it does not have."""

import re
from pathlib import Path

import nbformat

FOLDER = Path(__file__).parents[2] / "notebooks"
GLOSSARY = (FOLDER / "GLOSSARY.md").read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """The anchor that GitHub and JupyterLab give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


ANCHORS = [anchor(word) for word in re.findall(r"^### (.+)$", GLOSSARY, re.MULTILINE)]


def test_words_are_there_once():
    assert len(ANCHORS) > 40
    assert sorted(set(ANCHORS)) == sorted(ANCHORS)


def test_its_links_lead_somewhere():
    for target, word in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", GLOSSARY):
        assert not target or (FOLDER / target).is_file()
        assert not word or word in ANCHORS


def test_notebooks_link_to_words_that_are_there():
    for path in FOLDER.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for word in re.findall(r"\(GLOSSARY\.md#([^)]+)\)", cell.source):
                assert word in ANCHORS, f"{path.name} links to {word}"
