"""Steps are told by the algorithm itself; long runs are sampled evenly; nobody listens unasked."""

import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import steps
from anonnb.steps import Step


def counted(n):
    for number in range(n):
        steps.note(f"{number}", f"It is {number}.", number)
    return n


@given(st.integers(0, 3_000), st.integers(2, 40))
def test_a_long_run_is_sampled_evenly(n, most):
    run = steps.of(counted, n, most=most)
    assert len(run) == min(n + 1, len(run)) <= most
    assert run.total == n + 1
    assert run.sampled == (len(run) < n + 1)
    assert run.result == n
    numbers = [step.number for step in run]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == n + 1
    if n:
        assert numbers[0] == 1
    assert all(step.state == step.number - 1 for step in run)
    if run.sampled and most > 4:
        gaps = [after - before for before, after in itertools.pairwise(numbers)]
        assert max(gaps) <= 4 * n / most + 2  # no long stretch is left out


def test_states_of_steps_that_are_left_out_are_not_made():
    made = []

    def work():
        for number in range(10_000):
            steps.note("a step", "It happens.", lambda number=number: made.append(number))

    steps.of(work, most=10)
    assert len(made) < 200


def test_nobody_listens_unasked():
    assert not steps.listening()
    steps.note("alone", "Nobody hears it.")
    seen = []
    steps.of(lambda: seen.append(steps.listening()))
    assert seen == [True]
    assert not steps.listening()


def test_after_an_error_nobody_listens():
    with pytest.raises(ZeroDivisionError):
        steps.of(lambda: 1 / 0)
    assert not steps.listening()


def test_silent_work_tells_nothing():
    def work():
        steps.note("outer", "It begins.")
        with steps.silent():
            counted(5)
        steps.note("outer again", "It goes on.")

    assert [step.title for step in steps.of(work)] == ["outer", "outer again", "The result"]


def test_a_run_inside_a_run_is_its_own():
    def work():
        inner = steps.of(counted, 3)
        steps.note("after", "The inner run is over.")
        return len(inner)

    run = steps.of(work)
    assert [step.title for step in run] == ["after", "The result"]
    assert run.result == 4


def test_only_candidates_can_be_chosen():
    frame = pd.DataFrame({"score": [1.0]}, index=["a"])
    assert Step("t", "s.", candidates=frame, chosen=["a"]).chosen == ("a",)
    with pytest.raises(ValueError, match="'b', which is none of its candidates"):
        Step("t", "s.", candidates=frame, chosen=["b"])


def test_a_run_of_one_step_at_most_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        steps.of(counted, 3, most=1)


def test_titles_are_text_in_html():
    assert "<b>" not in steps.Steps([Step("<b>", "s.")])._repr_html_()


@pytest.mark.slow
@given(st.integers(0, 40), st.sets(st.integers(0, 39)))
def test_of_many_candidates_the_chosen_and_the_first_stay(n, chosen):
    chosen = sorted(chosen & set(range(n)))
    frame = pd.DataFrame({"score": range(n)}, index=range(n))
    [step, _] = steps.of(lambda: steps.note("t", "It is so.", None, frame, chosen))
    assert len(step.candidates) == min(n, 12) == n - step.left_out
    assert list(step.chosen) == chosen[:12] == [each for each in step.candidates.index if each in chosen]
    others = [each for each in step.candidates.index if each not in chosen]
    assert others == [each for each in range(n) if each not in chosen][: len(others)]
