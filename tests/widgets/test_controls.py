"""Controls and explore, without a browser."""

import numpy as np
import pytest

from anonnb import widgets
from anonnb.widgets import Controls, explore, is_batch
from anonnb.widgets.controls import BATCH_VARIABLE, FRAMES_VARIABLE


@pytest.fixture
def batch(monkeypatch):
    monkeypatch.setenv(BATCH_VARIABLE, "1")


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


@pytest.fixture
def report(batch, monkeypatch):
    monkeypatch.setenv(FRAMES_VARIABLE, "1")


def test_a_report_keeps_a_frame_for_every_combination(report):
    def draw(k, strict):
        print(f"k is {k}, strictly: {strict}")

    page = explore(draw, k=range(2, 5), strict=True, start={"k": 3}, interactive=False).data
    assert page.count('class="anonnb-frame"') == 6
    for k in (2, 3, 4):
        for strict in (True, False):
            assert f"k is {k}, strictly: {strict}" in page


def test_frames_can_be_limited_and_declared(report):
    def draw(k):
        print(f"k is {k}")

    assert explore(draw, k=range(2, 50), frames=3).data.count('class="anonnb-frame"') == 3
    assert "k = 2, 7, 9 (3 of 48)" in explore(draw, k=range(2, 50), frames={"k": [7, 9]}).data
    assert explore(lambda k: k, k=range(2, 50), frames=1) == 2
    with pytest.raises(ValueError, match="k cannot be 70"):
        explore(draw, k=range(2, 50), frames={"k": [70]})


def test_a_choice_that_fails_is_told_and_a_start_that_fails_is_raised(report):
    def draw(k):
        print(10 // k)

    assert "Not possible with these values: " in explore(draw, k=[2, 1, 0]).data
    with pytest.raises(ZeroDivisionError):
        explore(draw, k=[0, 1, 2])


def test_without_a_batch_there_are_no_frames(monkeypatch):
    monkeypatch.setenv(BATCH_VARIABLE, "0")
    monkeypatch.setenv(FRAMES_VARIABLE, "1")
    assert explore(lambda k: k, k=[7, 8], interactive=False) == 7


@pytest.mark.parametrize(
    ("choice", "kind"),
    [(range(3), "slider"), ([1, 2.5, 4], "slider"), ([3, 2, 1], "slider"), ([1, 3, 2], "menu"), ([1, 2], "menu")],
)
def test_numbers_in_order_are_a_slider(choice, kind):
    assert Controls({"k": choice}).kind("k") == kind
    assert Controls({"k": True}).kind("k") == "check"
    assert Controls({"k": ["a", "b", "c"]}).kind("k") == "menu"


def test_several_truth_values_are_no_claim():
    with pytest.raises(ValueError, match=r"use \.all\(\) or \.any\(\)"):
        widgets.claim("All are positive.", np.array([1, 2]) > 0)
