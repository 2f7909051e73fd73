"""The attacks for the officer's page, within one budget of time and memory.

They run in a process of their own, one after the other. Each may take half of the time that is left, the last one all
of it; one that takes longer is ended with its process, and the next one gets a new process. Linux also limits the
memory that a process adds.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonnb import attacks
from anonnb.arena.entrants import default_attacks, left_out
from anonnb.attacks.base import Attack
from anonnb.attacks.findings import by_secret
from anonnb.attacks.result import AttackResult
from anonnb.core.errors import is_deliberate
from anonnb.core.progress import Progress, no_progress
from anonnb.core.wording import join_names
from anonnb.publishing.budget import AttackBudget
from anonnb.publishing.officer_page import Outcomes
from anonnb.tables.matching import shared_matchings
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MAX_PEOPLE = 20_000  # the attacks try a sample of so many
MEGABYTE = 1_000_000


def attack_release(release: Release, budget: AttackBudget | None = None, progress: Progress = no_progress) -> Outcomes:
    """Run the attacks that take part by default; without a budget, none.

    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> found = attack_release(Mondrian(k=9).anonymize(anonnb.load("survey")), AttackBudget(seconds=120))
    >>> found.results[0][0], found.unfinished
    ('LinkageAttack', [])
    """
    if budget is None:
        return Outcomes(unfinished=["No attack was tried, because whoever published the file chose so."])
    people, too_large = release.table, left_out(release.table)
    sentences = [
        f"{name} was not tried: {too_large[name].partition(': ')[2]}." for name in _names() if name in too_large
    ]
    sample = ""
    if people.n_people > MAX_PEOPLE:
        people = sample_people(people, MAX_PEOPLE)
        sample = f"a random sample of {people.n_people:,} of {release.table.n_people:,} people"
        sentences.insert(0, f"The attacks were tried on {sample}; what they count are people of this sample.")
    results: list[tuple[str, AttackResult]] = []
    reasons: dict[tuple[str, str], list[str | None]] = {}
    worker, end = None, time.monotonic() + budget.seconds
    fitting = [name for name in _names() if release.sensitive or not attacks.get(name).needs_sensitive]
    jobs = [job for name in fitting if name not in too_large for job in _jobs(name, release)]
    try:
        for number, attack in enumerate(progress(jobs, desc="attacks")):
            worker, left = worker or Worker(release, people, budget), max(end - time.monotonic(), 0.0)
            answer = worker.run(attack, left if number == len(jobs) - 1 else left / 2)
            name = type(attack).__name__
            if isinstance(answer, str):
                reasons.setdefault((name, answer), []).append(getattr(attack, "column", None))
            else:
                results += [(name, one) for one in answer]
            if not worker.is_ready:
                worker.stop()
                worker = None
    finally:
        if worker is not None:
            worker.stop()
    for (name, reason), columns in reasons.items():
        sentences.append(f"{name}{'' if None in columns else f' on {join_names(columns)}'} {reason}.")
    return Outcomes(results, sentences, sample)


def _names() -> list[str]:
    """The attacks that take part by default and one that knows more, those that may take long last."""
    return sorted([*default_attacks(), "BackgroundAttack"], key=lambda name: -attacks.get(name).rows_in_minutes)


def _jobs(name: str, release: Release) -> list[Attack]:
    """Divide an attack on several secrets, so that each has its own time."""
    attack = attacks.get(name)()
    divided = len(release.sensitive) > 1 and hasattr(attack, "column")
    return [replace(attack, **{"column": column}) for column in release.sensitive] if divided else [attack]


def sample_people(table: Table, count: int) -> Table:
    """Draw people with a fixed seed and return all of their rows.

    >>> import anonnb
    >>> len(sample_people(anonnb.load("survey"), 20))
    20
    """
    drawn = np.random.default_rng(0).permutation(table.n_people)[table.people]
    return table.take(np.flatnonzero(drawn < count))


class Worker:
    """A process that runs one attack after another on request, and can be ended at any time."""

    def __init__(self, release: Release, people: Table, budget: AttackBudget):
        # a fork shares the table; elsewhere it is not safe, and the process gets a copy
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._pipe, theirs = context.Pipe()
        self._budget, self.is_ready = budget, True
        options = (self._pipe, theirs, release, people, budget)
        self._process = context.Process(target=_serve, args=options, name="attacks", daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the one that shows progress does no harm
            self._process.start()
        theirs.close()

    def run(self, attack: Attack, seconds: float) -> list[AttackResult] | str:
        """Return the results of an attack, or why there are none."""
        try:
            self._pipe.send(attack)
            if self._pipe.poll(seconds):
                return self._pipe.recv()
            self.is_ready = False
            return f"did not finish within the {self._budget.seconds:.0f} s that all attacks have together"
        except (EOFError, OSError):
            self.is_ready = False
            return "ended before it had a result, probably for lack of memory"

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _serve(ours: Connection, theirs: Connection, release: Release, people: Table, budget: AttackBudget) -> None:
    """Answer the requests of a worker until it has no more."""
    ours.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command ends this process itself
    warnings.simplefilter("ignore")
    if hasattr(signal, "alarm"):
        signal.alarm(math.ceil(budget.seconds) + 10)  # should the command be gone by then
    _limit_memory(int(budget.megabytes * MEGABYTE))
    with suppress(EOFError, OSError), shared_matchings():
        while True:
            theirs.send(_attack(theirs.recv(), release, people, budget.megabytes))


def _attack(attack: Attack, release: Release, people: Table, megabytes: float) -> list[AttackResult] | str:
    try:
        results = by_secret(attack.run(release, people))
        return [one.replace(targets=pd.DataFrame) for one in results]  # the lines about people stay here
    except MemoryError:
        return f"did not finish, because it takes more memory than the {megabytes:,.0f} MB that attacks may add"
    except Exception as error:
        reason = str(error) if is_deliberate(error) else f"a defect of anonnb ({type(error).__name__}: {error})"
        return f"was not tried: {reason}"


def _limit_memory(added: int) -> None:
    """Let this process take so many more bytes, where the system can see to that."""
    if sys.platform != "linux":
        return
    import resource

    with suppress(OSError, ValueError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, this process goes, not the command
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = pages * resource.getpagesize() + added
        if soft == resource.RLIM_INFINITY or limit < soft:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
