"""Shadow releases: they find what densities miss, in time, and nothing where nobody was published."""

import time

import numpy as np
import pytest

import anonnb
from anonnb import Release
from anonnb.attacks import MembershipAttack
from anonnb.core.progress import watched_by
from anonnb.methods import Mondrian
from tests.attacks.membership.test_membership import _parts, _population, _thirds

SHADOW = MembershipAttack(score="shadow", shadows=32)


@pytest.mark.slow
def test_more_members_are_found_at_few_false_positives():
    """64 shadows of 1,000 people within two minutes; at k = 10 and k = 2 they find more than densities do."""
    rates = []
    for seed in (0, 1):
        inside, outside, others = _thirds(3000, seed)
        for k in (10, 2):
            release, start = Mondrian(k=k).anonymize(inside), time.perf_counter()
            shadow = MembershipAttack(score="shadow", reference=others).run(release, control=outside)
            assert time.perf_counter() - start < 120
            assert shadow.info["shadows"] == 64
            density = MembershipAttack(reference=others).run(release, control=outside)
            rates.append([found.tpr_at(0.01) for found in (shadow, density)])
    assert (np.mean(rates, axis=0) > (0.2, 0.1)).all()
    assert all(shadow > density for shadow, density in rates)


@pytest.mark.slow
def test_people_who_were_not_published_look_alike():
    covered = 0
    for seed in range(20):
        first, second, others, reference = _parts(_population(seed, 480), seed, 4)
        attack = MembershipAttack(score="shadow", shadows=24, reference=reference)
        low, high = attack.run(Mondrian(k=4).anonymize(others), first, control=second).auc_interval
        covered += low <= 0.5 <= high
    assert covered >= 18


def test_who_is_there_is_found_in_rows_as_they_are():
    class AsItIs:
        def anonymize(self, table):
            return Release.of(table)

    inside, outside = _parts(_population(0, 200), 0, 2)
    attack = MembershipAttack(score="shadow", shadows=16, method=AsItIs())
    result = attack.run(Release.of(inside), control=outside)
    assert result.auc > 0.99
    assert result.tpr_at(0.01) > 0.9


def test_progress_time_limit_and_steps():
    inside, outside = _parts(_population(1, 120), 1, 2)
    release, told = Mondrian(k=4).anonymize(inside), []
    with watched_by(lambda items, desc="", **_: told.append(desc) or items):
        limited = MembershipAttack(score="shadow", shadows=5000, time_limit=0.05).run(release, control=outside)
    assert "shadow releases" in told
    assert 8 <= limited.info["shadows"] < 5000
    assert limited.info["seconds for all shadows, about"] > 0
    steps = SHADOW.steps(release, control=outside)
    assert steps[0].title == "Make shadow releases"
    assert any("times as likely with them as without" in step.sentence for step in steps)
    assert SHADOW.run(release, control=outside).scores.tolist() == steps.result.scores.tolist(), "seeded"


def test_what_is_missing_is_said():
    inside, outside = _parts(_population(1, 60), 1, 2)
    with pytest.raises(ValueError, match="give method="):
        SHADOW.run(Release.of(inside), control=outside)
    with pytest.raises(ValueError, match="give a control or a reference"):
        SHADOW.run(Mondrian(k=4).anonymize(inside))
    with pytest.raises(ValueError, match="from one table"):
        SHADOW.run(Mondrian(k=4).anonymize(inside), control=_population(2, 60).with_index(np.arange(900, 960)))
    with pytest.raises(TypeError, match="a method with anonymize"):
        MembershipAttack(method=anonnb)
