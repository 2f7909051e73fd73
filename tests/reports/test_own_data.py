"""The report on somebody's own table: all rows first, no original row, no exercises, whatever the options say."""

import html
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from anonnb.cli import main

DATA = Path(__file__).parent / "data"

ROOT = Path(__file__).parents[2]
PROJECT = (DATA / "project.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Notebook 50 on 120 rows of 60 people, each row with a weight of its own."""
    folder = tmp_path_factory.mktemp("own")
    draw = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "patient": [f"patient {number // 2}" for number in range(120)],
            "weight": [f"{50 + number * 0.137:.3f}".replace(".", ",") for number in range(120)],
            "zip": draw.choice([10115, 10117, 12043], 120),
            "illness": draw.choice(["flu", "cold", "asthma"], 120),
        }
    )
    frame.to_csv(folder / "people.csv", sep=";", index=False)
    (folder / "people.yaml").write_text(PROJECT)
    words = ["report", str(ROOT / "notebooks" / "50_your_own_data.ipynb"), "--project", str(folder / "people.yaml")]
    result = CliRunner().invoke(main, [*words, "--out", str(folder / "out")])
    assert result.exit_code == 0, result.stderr
    return folder / "out", frame, result


@pytest.mark.slow
def test_a_report_on_ones_own_table(report):
    out, frame, result = report
    page = (out / "50_your_own_data.html").read_text(encoding="utf-8")
    cells = set(map(html.unescape, re.findall(r"<td[^>]*>([^<]*)</td>", page)))
    assert not cells & set(frame["weight"].str.replace(",", ".")), "an original row is shown"
    assert "patient 1" not in page
    assert "Exercises" not in page
    assert "Not answered yet" not in page
    assert "every class holds at least 4 people (k = 4)" in html.unescape(page)
    assert "The decision that is needed" in html.unescape(page)  # the officer's page
    index = (out / "index.html").read_text(encoding="utf-8")
    assert "<h1>people.csv: a report</h1>" in index
    first = index.partition('<section id="own">')[2].partition("</section>")[0]
    words = " ".join(re.sub(r"<[^>]*>", " ", first).split())
    assert words.startswith("What was published what figure rows 120 people 60 k 4")
    assert index.index('<section id="own">') < index.index('<section id="arena">')
    assert result.stderr.startswith("now: running 1 notebook into ")
    assert "next: open " in result.stderr
