"""Which values of the controls get frames: every combination of them, within frames, bytes and time."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from anonnb.widgets.frames import grids
from anonnb.widgets.frames.frame import Frame
from anonnb.widgets.frames.grids import Budget, grown


@given(st.data(), st.lists(st.integers(1, 7), min_size=1, max_size=3), st.integers(1, 60))
def test_every_combination_of_the_stored_values_has_its_frame(data, sizes, most):
    options = {f"c{number}": range(size) for number, size in enumerate(sizes)}
    start = {name: data.draw(st.sampled_from(values)) for name, values in options.items()}
    calls = []
    grid = grown(lambda values: calls.append(values) or Frame(), options, start, Budget(frames=most))
    assert calls[0] == start
    assert set(grid.frames) == set(product(*grid.positions.values()))
    assert len(calls) == len(grid.frames) <= max(1, most)
    assert all(start[name] in grid.values(name) for name in options)
    whole = 1
    for size in sizes:
        whole *= size
    assert grid.whole == (len(grid.frames) == whole)
    assert grid.whole or most < whole


def test_time_and_bytes_end_it():
    now = [0.0]

    def slow(values):
        now[0] += 1
        return Frame(text="x")

    grid = grown(slow, {"k": range(100)}, {"k": 5}, Budget(seconds=3), clock=lambda: now[0])
    assert len(grid.frames) == 4  # one that must be, and three seconds for three further ones
    heavy = Frame(tables=("x" * 1000,))
    grid = grown(lambda values: heavy, {"k": range(100)}, {"k": 5}, Budget(size=5 * heavy.size))
    assert len(grid.frames) == 5


def test_every_control_moves_before_one_moves_further():
    now = [0.0]

    def slow(values):
        now[0] += 1
        return Frame()

    options = {"a": range(9), "b": range(9), "c": range(9)}
    grid = grown(slow, options, dict.fromkeys(options, 4), Budget(seconds=4), clock=lambda: now[0])
    assert [len(places) for places in grid.positions.values()] == [2, 2, 2]
    grid = grown(slow, options, dict.fromkeys(options, 4), Budget(seconds=0.1), clock=lambda: now[0])
    assert [len(places) for places in grid.positions.values()] == [2, 1, 1]  # something moves, however slow it is


def test_the_cells_of_a_page_share_its_bytes_and_its_time(monkeypatch):
    now = [10.0]
    monkeypatch.setattr(grids, "_page", grids._Page())
    monkeypatch.setattr(grids.time, "process_time", lambda: now[0])
    first = grids.page_budget()
    now[0] += 3
    grids.note_kept(1_000_000)
    second = grids.page_budget()
    assert second.size == first.size - 500_000
    assert second.seconds < first.seconds
    assert second.seconds == grids.MIN_FOR_ONE  # the first took all there was
    now[0] += 100  # another hundred seconds of work allow for more frames
    assert grids.page_budget().seconds > first.seconds
    assert grids.page_budget(frames=7).frames == 7
