"""What a first run compiles: every loop once. Seconds depend on the machine; this counts."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.errors import TypingError

COUNTED = """
import json, sys
from numba.core.registry import CPUDispatcher
import anonnb
from anonnb.methods import Mondrian
from anonnb.rules import LERS, imprecise_rules, mlem2, rules_from_release

tables = [anonnb.load(name) for name in ("decision6", "iris", "hayes-roth")]
for table in tables:
    mlem2(table), imprecise_rules(table, 2), rules_from_release(Mondrian(k=2).anonymize(table))
LERS().fit(tables[1]).score(tables[1])
found = {}
for name, module in list(sys.modules.items()):
    if name.startswith("anonnb."):
        for loop in vars(module).values():
            if isinstance(loop, CPUDispatcher) and loop.py_func.__module__ == name:
                found[f"{name}.{loop.py_func.__name__}"] = len(loop.overloads)
print(json.dumps(found))
"""


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
