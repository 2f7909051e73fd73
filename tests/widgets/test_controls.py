"""Controls and explore, without a browser."""

import pytest

from anonnb.widgets import Controls, explore, is_batch
from anonnb.widgets.controls import BATCH_VARIABLE


@pytest.fixture
def batch(monkeypatch):
    monkeypatch.setenv(BATCH_VARIABLE, "1")


def test_controls_start_at_the_first_choice_or_where_they_are_told():
    controls = Controls({"k": range(2, 11), "method": ["a", "b"], "strict": True}, start={"method": "b"})
    assert controls.values == {"k": 2, "method": "b", "strict": True}
    controls.set("strict", False)
    assert controls.values["strict"] is False


def test_controls_refuse_what_is_no_choice():
    controls = Controls({"k": range(2, 11), "strict": True})
    with pytest.raises(ValueError, match="k cannot be 11"):
        controls.set("k", 11)
    with pytest.raises(ValueError, match="strict cannot be 'yes'"):
        controls.set("strict", "yes")
    with pytest.raises(ValueError, match="there is no control 'l'; the controls are k, strict"):
        Controls({"k": range(3), "strict": True}, start={"l": 1})
    for choice in (range(0), [], "abc"):
        with pytest.raises(ValueError, match="k has nothing to choose from"):
            Controls({"k": choice})


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("0", False), ("", False)])
def test_batch_mode_is_an_environment_variable(monkeypatch, value, expected):
    monkeypatch.setenv(BATCH_VARIABLE, value)
    assert is_batch() is expected


def test_a_batch_run_draws_once_and_shows_no_widget(batch):
    calls = []
    assert explore(lambda **values: calls.append(values) or "drawn", k=range(2, 5), start={"k": 3}) == "drawn"
    assert calls == [{"k": 3}]


def test_interactive_false_draws_once(monkeypatch):
    monkeypatch.delenv(BATCH_VARIABLE, raising=False)
    assert explore(lambda k: k, k=[7, 8], interactive=False) == 7


def test_in_the_lab_every_change_draws_again(monkeypatch):
    monkeypatch.delenv(BATCH_VARIABLE, raising=False)
    calls = []
    box = explore(
        lambda **values: calls.append(values), k=range(2, 11, 2), method=["a", "b"], fast=False, start={"k": 4}
    )
    slider, menu, check = box.children[0].children
    assert (slider.min, slider.max, slider.step, slider.value) == (2, 10, 2, 4)
    assert menu.options == ("a", "b")
    slider.value = 6
    check.value = True
    assert calls == [
        {"k": 4, "method": "a", "fast": False},
        {"k": 6, "method": "a", "fast": False},
        {"k": 6, "method": "a", "fast": True},
    ]
