"""What a first run compiles: every loop once. Seconds depend on the machine; this counts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError

DATA = Path(__file__).parent / "data"

COUNTED = (DATA / "counted.py.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_first_run_of_the_inductions_compiles_every_loop_once(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COUNTED],
        env=os.environ | {"NUMBA_CACHE_DIR": os.fspath(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    overloads = json.loads(done.stdout.splitlines()[-1])
    overloads = {name: count for name, count in overloads.items() if "mondrian" not in name}
    assert {name: count for name, count in overloads.items() if count > 1} == {}
    assert sum(overloads.values()) <= 25  # each takes a tenth of a second or more
    kept = {path.name.split("-")[0] for path in tmp_path.rglob("*.nbc") if "mondrian" not in os.fspath(path)}
    kernels = {"_search.induce", "_blocks.irredundant", "_blocks.coverage", "_blocks.meetings"}
    assert kept == kernels | {"_matching.count_conditions_met"}


def test_a_number_in_a_call_compiles_no_second_version():
    from anonnb.core.compiled import compiled, inner

    @inner
    def plus(number, other):
        return number + other

    @compiled
    def sums(number):
        return plus(number, 1) + plus(number, 2) + plus(3, number)

    assert sums(10) == 11 + 12 + 13
    assert len(plus.overloads) == 1


def test_a_loop_that_makes_no_arrays_works_on_those_it_is_given_and_may_make_none():
    from anonnb.core.compiled import compiled, inner

    @inner
    def halved(numbers, row):
        for column in range(numbers.shape[1]):
            numbers[row, column] /= 2

    @compiled(makes_arrays=False)
    def all_halved(numbers):
        for row in range(len(numbers)):
            halved(numbers, row)
        return numbers[0, 0]

    @compiled(makes_arrays=False)
    def nothing(size):
        return len(np.zeros(size))

    given = np.ones((2, 3))
    held = sys.getrefcount(given)
    assert all_halved(given) == 0.5
    assert given.tolist() == [[0.5] * 3] * 2
    assert sys.getrefcount(given) == held
    with pytest.raises(TypingError):
        nothing(3)
