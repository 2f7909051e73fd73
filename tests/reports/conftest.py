"""Small notebooks, made on the fly."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="session")
def make_notebook():
    """``make_notebook(path, "# Title", "K = 5", "print(K)")``: text, then (if any) parameters, then code cells."""

    def make(path, text, parameters, *code):
        cells = [new_markdown_cell(text)]
        if parameters:
            cells.append(new_code_cell(parameters, metadata={"tags": ["parameters"]}))
        cells += [new_code_cell(source) for source in code]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
        return path

    return make
