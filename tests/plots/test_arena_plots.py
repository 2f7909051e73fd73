"""What the titles of the arena's pictures say: only what the intervals bear out, and no more."""

import pandas as pd
import pytest

from anonnb import plots


def comparison(lines):
    """A frame as ``arena.compare`` gives it, from method: (loss, excess, low, high)."""
    rows = []
    for method, (loss, excess, low, high) in lines.items():
        k = None if method == "original" else 5.0
        head = {"method": method, "k": k, "seed": None, "reason": ""}
        rows.append(head | {"kind": "utility", "name": "NCP", "value": loss})
        ends = {"excess": excess, "excess low": low, "excess high": high}
        rows.append(head | {"kind": "attack", "name": "SkewnessAttack", "value": 0.7, "attack kind": "secret", **ends})
    return pd.DataFrame(rows)


def words(ax):
    return " ".join(ax.get_title().split())


ORIGINAL = {"original": (0.0, 0.9, 0.8, 1.0)}
APART = {"A": (0.1, 0.1, 0.05, 0.15), "B": (0.2, 0.3, 0.25, 0.35)}
MEETING = {"A": (0.1, 0.1, 0.0, 0.3), "B": (0.2, 0.2, 0.1, 0.3)}


MORE = {"C": (0.3, 0.11, 0.06, 0.16), "D": (0.4, 0.5, 0.4, 0.6)}
NOBODY = {"A": (0.1, 0.3, 0.2, 0.4), "B": (0.2, 0.1, 0.0, 0.2)}


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (APART, "B is beaten, beyond chance; none of the other 2 is"),
        (MEETING, "B is beaten, but not beyond chance; none of the other 2 is"),
        (APART | MORE, "3 of 5 are beaten, 2 of them beyond chance; none of the other 2 is"),
        (NOBODY, "None of the 3 is beaten in both figures"),
    ],
    ids=["beyond chance", "by chance", "several", "nobody"],
)
def test_the_title_names_or_counts_who_is_beaten_and_whether_by_chance(lines, title):
    assert words(plots.loss_against_risk(comparison(ORIGINAL | lines), risk="SkewnessAttack")) == title


def test_the_heat_map_calls_nothing_safe_whose_interval_holds_0():
    unsure = {"A": (0.1, 0.4, -0.1, 0.9), "B": (0.2, 0.1, -0.2, 0.3)}
    title = words(plots.attack_heat_map(comparison(ORIGINAL | unsure)))
    assert title == "No excess of 2 is above 0 beyond chance, yet the intervals reach up to 90 %"


def test_the_heat_map_names_the_excess_with_the_highest_lower_end():
    """C's excess is larger than B's and less sure; the original is no release."""
    lines = APART | {"C": (0.3, 0.5, 0.01, 0.99)}
    assert words(plots.attack_heat_map(comparison(ORIGINAL | lines))) == (
        "3 of 3 excesses are above 0 beyond chance, most clearly Skewness on B, 30 % (25 to 35)"
    )


def test_each_column_of_the_heat_map_says_which_figure_it_shows():
    linked = {"kind": "attack", "name": "LinkageAttack", "attack kind": "linkage", "value": 0.25, "false_links": 0.6}
    more = [{"method": method, "k": 5.0, "seed": None, **linked} for method in APART]
    ax = plots.attack_heat_map(pd.concat([comparison(APART), pd.DataFrame(more)], ignore_index=True))
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["Skewness\nexcess (guessed right)", "Linkage\nlinked (outsiders linked)"]
    cells = [text.get_text() for text in ax.texts]
    assert cells == ["10 ± 5\n(70)", "25\n(60)", "30 ± 5\n(70)", "25\n(60)"]
    assert [text.get_fontweight() for text in ax.texts] == ["bold", "normal"] * 2  # only an excess can be bold
