"""One word for one thing: no two classes of the package share a name."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import anonnb


@pytest.mark.slow
def test_no_two_classes_have_one_name():
    files = Path(anonnb.__file__).parent.rglob("*.py")
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert names["Table"] == names["Mondrian"] == 1
    assert [name for name, count in names.items() if count > 1] == []
