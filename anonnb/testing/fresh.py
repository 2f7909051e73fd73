"""Runs in a fresh process, with another seed for Python's hashes: what depends on either shows in the bytes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

HASH_SEED = "4711"


def published_elsewhere(methods: Sequence[Any], seed: int) -> list[list[bytes]]:
    """Return what another process publishes: for each method the bytes of each table of the contract.

    The classes must be importable there: those of a notebook or a script are not.
    """
    answered = subprocess.run(
        [sys.executable, "-m", "anonnb.testing.fresh"],
        input=pickle.dumps((sys.path, pickle.dumps(list(methods)), seed)),
        env=os.environ | {"PYTHONHASHSEED": HASH_SEED, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    if answered.returncode:
        reason = answered.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise RuntimeError(f"the fresh process failed: {''.join(reason)}")
    return pickle.loads(answered.stdout)


def _answer() -> None:
    path, methods, seed = pickle.loads(sys.stdin.buffer.read())
    sys.path[:] = path
    from anonnb.testing.subjects import MethodSubject

    answers = []
    for method in pickle.loads(methods):
        subject = MethodSubject(method, seed)
        answers.append([subject.run(case).written for case in [*subject.ordinary, *subject.nasty.values()]])
    sys.stdout.buffer.write(pickle.dumps(answers))


if __name__ == "__main__":
    _answer()
