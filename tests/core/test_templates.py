"""Templates escape what they are given, and nothing that they ask for may be missing."""

import pytest
from jinja2 import UndefinedError

from anonnb.core.templates import templates


@pytest.fixture
def room(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.html").write_text("{% if name %}\n<p>{{ name }}</p>\n{% endif %}\n")
    return tmp_path / "module.py"


def test_values_are_text_and_blocks_leave_no_lines(room):
    assert templates(room).get_template("a.html").render(name="<b>") == "<p>&lt;b&gt;</p>\n"


def test_a_missing_value_is_an_error(room):
    with pytest.raises(UndefinedError, match="'name' is undefined"):
        templates(room).get_template("a.html").render()
