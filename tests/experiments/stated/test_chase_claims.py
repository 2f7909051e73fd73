"""What the SCIKD paper states: its printed figures, its worked example, its sentences; and the second reading."""

import pytest

from anonnb.experiments import chase_experiment as experiment
from anonnb.experiments.stated.chase_claims import PRINTED, by_threshold, quantities, sentences
from anonnb.experiments.verdicts import COUNTS
from tests.experiments.stated.printed import check_quantity, check_sentence

DRAWS, TWO = experiment.stored("draws"), experiment.stored("two_thresholds")


def chosen():
    server, client = experiment.SECOND_READING
    return TWO[(TWO["server_confidence"] == server) & (TWO["client_confidence"] == client)]


def test_every_printed_figure_is_the_papers():
    for found in (chosen().mean(), DRAWS.mean()):
        for each in quantities(1000, 10, 4, found):
            check_quantity("chase", each)
    assert list(PRINTED.values()) == [experiment.PAPER[name] for name in ("server_rules", "client_rules", "hidden")]
    assert experiment.PAPER["share"] == pytest.approx(739 / 10_000)


def test_every_verdict_follows_the_rule():
    guesses = {seed: int(experiment.sites(seed)[0].counts("income").max()) for seed in range(5)}
    said = sentences(DRAWS, guesses)
    assert len({each.text for each in said}) == len(said) == 9
    for each in said:
        check_sentence(each)


def test_sentences_are_counted_over_draws():
    guesses = dict.fromkeys(range(5), 742)

    def held(start, draws):
        (said,) = [each for each in sentences(draws, guesses) if each.text.startswith(start)]
        return said.held

    assert held("after the protection", DRAWS) == "40 of 40"
    leaking = DRAWS.assign(revealed_after=(DRAWS["seed"] == 0).astype(int))
    assert held("after the protection", leaking) == "32 of 40"
    assert held("rules from the table itself", DRAWS.assign(revealed_locally=1)) == "40 of 40"
    assert held("the fourteen closures", DRAWS) == "13 of 14"


def test_the_second_reading_is_the_nearest_of_those_that_were_run():
    lines = by_threshold(TWO, ["server_confidence", "client_confidence"])
    apart = COUNTS.distance(lines["ours"], lines["paper"]).groupby(
        [lines["server_confidence"], lines["client_confidence"]]
    )
    assert apart.mean().idxmin() == experiment.SECOND_READING


@pytest.mark.slow
def test_equal_thresholds_are_the_first_reading():
    (first,) = experiment.one_draw(0, 0.97)
    (second,) = experiment.two_threshold_draw(0, 0.97, 0.97)
    assert second[3:7] == (first[2], first[3], first[7], first[9])
