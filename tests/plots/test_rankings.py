"""Places that measures give to releases: the order of columns, the finding, and whether it can be read."""

import pandas as pd
import pytest

from anonnb import plots
from anonnb.plots.parts.defects import figure_defects

MEASURES = ["NCP", "exact cells", "t"]
PLACES = pd.DataFrame({"KACA": [2, 1, 2], "Mondrian": [1, 2, 1], "Forest": [3, 3, 3]}, index=MEASURES)


def test_columns_follow_the_first_line_and_the_title_counts_who_disagrees():
    ax = plots.rankings(PLACES)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Mondrian", "KACA", "Forest"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["NCP", "exact cells", "t"]
    assert [text.get_text() for text in ax.texts] == ["1", "2", "3", "2", "1", "3", "1", "2", "3"]
    assert ax.get_title().replace("\n", " ") == "1 of 3 measures do not call Mondrian the best (1: best)"


@pytest.mark.slow
@pytest.mark.parametrize("releases", [2, 8])
def test_it_can_be_read(releases):
    places = pd.DataFrame({f"InfoGainMondrian {n}": range(n, n + 14) for n in range(1, releases + 1)})
    places.index = [f"prosecutor risk, average {n}" for n in range(14)]
    assert figure_defects(plots.rankings(places).figure) == []
