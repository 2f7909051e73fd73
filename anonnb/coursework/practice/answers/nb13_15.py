"""Answers of notebooks 13 to 15: Mondrian, cell suppression, top-down and bottom-up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.coursework.practice.answers.tools import frame_of, random_frame
from anonnb.coursework.practice.exercise import Answer, exercise, inputs, judged
from anonnb.methods.cells.cell_method import Cells
from anonnb.methods.cells.exact import Exact
from anonnb.methods.cells.forest import Forest
from anonnb.methods.cuts.specialization import TopDown
from anonnb.methods.mondrian.mondrian import Mondrian
from anonnb.tables.datasets import load
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.table import Table
from anonnb.utility import classification_metric


def _ages(values: Iterable[int]) -> Table:
    return Table(pd.DataFrame({"age": list(values)}), quasi=["age"])


@exercise("13.1")
def regions_by_hand(ages: tuple[int, ...]) -> Answer:
    release = Mondrian(k=2).anonymize(_ages(ages))
    regions = [
        [age for age, group in zip(ages, release.groups, strict=True) if group == n] for n in range(release.n_groups)
    ]

    def cuts() -> str:
        steps = [step for step in Mondrian(k=2).steps(_ages(ages)) if step.title.startswith("Cut")]
        return " ".join(f"{step.title}: {step.sentence}" for step in steps)

    sizes = list(map(len, regions))
    return Answer(sizes, cuts=cuts, regions="; ".join(", ".join(map(str, region)) for region in regions))


@exercise("13.2")
def halves(people: int, k: int) -> Answer:
    sizes, rounds = {people}, []
    while max(sizes) >= 2 * k:
        sizes = {half for size in sizes for half in ((size // 2, size - size // 2) if size >= 2 * k else (size,))}
        rounds.append(" or ".join(map(str, sorted(sizes))))
    largest = int(Mondrian(k=k, strict=False).anonymize(_ages(range(people))).group_sizes.max())
    return Answer(largest, rounds=", then ".join(rounds), largest=largest, smallest=min(sizes) if len(sizes) > 1 else 0)


@exercise("13.3")
def uncut(k: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "xy", "[(0, 0), (1, 0)]", rows=4 * k - 3, kind=float)
        if frame.duplicated().any():
            return f"{tuple(frame[frame.duplicated()].iloc[0])} occurs twice, and all people must be different"
        regions = Mondrian(k=k).anonymize(Table(frame, quasi=["x", "y"])).n_groups
        return f"Mondrian cuts it into {regions} regions" if regions > 1 else ""

    steps = [sign * n for sign in (-1, 1) for n in range(1, k)]
    arms = [(0, 0), *((step, 0) for step in steps), *((0, step) for step in steps)]
    return Answer(judge=judge, people=4 * k - 3, arms=arms)


@inputs("13.4")
def build_best_cut() -> Iterator[tuple]:
    adult = load("adult").frame[["age", "hours-per-week", "education-num"]].iloc[:300].reset_index(drop=True)
    survey = load("survey").frame[["Hours"]].astype(float).reset_index(drop=True)
    for frame in (adult, survey, *(random_frame(seed, 14, "xy", 6) for seed in range(12))):
        spread = (frame.max() - frame.min()).replace(0, 1)
        for rows in (slice(None), slice(0, None, 2), slice(0, 9), slice(5, 11)):
            for k in (1, 2, 3, 7):
                yield frame.iloc[rows], spread, k


NAMES = ["Sex", "Age", "Smokes"]


def _rows(lines: Sequence[str]) -> Table:
    return Table(pd.DataFrame([line.split() for line in lines], columns=NAMES), quasi=NAMES)


def _lines(rows: Sequence[str]) -> str:
    lines = [f"| {number} | {' | '.join(row.split())} |" for number, row in enumerate(rows)]
    return "\n".join([f"| row | {' | '.join(NAMES)} |", "|---" * (len(NAMES) + 1) + "|", *lines])


@exercise("14.1")
def bound_by_hand(rows: list[str]) -> Answer:
    distances = np.sort(Cells(_rows(rows)).distance_matrix(), axis=1)
    losses = distances[:, 2].tolist()
    return Answer(sum(losses), lines=_lines(rows), losses=losses, nearest=int(distances[:, 1].sum()))


@exercise("14.2")
def fewest_by_hand() -> Answer:
    rows = ["F 20 no", "F 20 yes", "F 30 no", "M 20 yes", "M 30 yes", "M 40 yes"]
    return Answer(int(Exact(k=3).anonymize(_rows(rows)).info["cost"]))


@judged("14.3")
def bad_for_forest(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or not answer or not isinstance(answer[0], list | tuple) or not answer[0]:
        return "the answer is a list of rows such as [(0, 1), (0, 0)]"
    if not 2 <= len(answer) <= 6:
        return f"there are {len(answer)} rows, and 2 to 6 are asked for"
    frame = frame_of(answer, [f"c{n}" for n in range(len(answer[0]))], "[(0, 1), (0, 0)]")
    table = Table(frame, quasi=list(frame))
    hidden, fewest = (int(method.anonymize(table).info["cost"]) for method in (Forest(k=2), Exact(k=2)))
    return "" if fewest and hidden >= 2 * fewest else f"Forest hides {hidden} cells, and {fewest} are enough"


@exercise("14.4")
def build_grow() -> Answer:
    def model(rows: np.ndarray, k: int) -> list[int]:
        frame = pd.DataFrame(rows).rename(columns=str)
        return Forest(k=k).anonymize(Table(frame, quasi=list(frame))).info["points_to"].tolist()

    def cases() -> Iterator[tuple]:
        status, sexes, hours = [0, 0, 1, 1, 2, 2, 2], [1, 0, 1, 1, 0, 0, 1], [40, 40, 40, 35, 35, 35, 50]
        yield np.array([status, sexes, hours]).T, 2
        for seed in range(12):
            yield random_frame(seed, 14, "abcd").to_numpy(), 2 + seed % 3
        yield load("adult").take(np.arange(100)).code_matrix().astype(int), 5

    return Answer(cases=cases, model=model)


@exercise("15.1")
def score_by_hand(yes: int, no: int, elsewhere: int) -> Answer:
    shares = np.array([yes, no]) / (yes + no)
    gain = float(1 + (shares * np.log2(shares)).sum())
    before, after = min(2 * (yes + no), elsewhere), min(yes + no, elsewhere)
    score = gain / (before - after + 1)
    return Answer(round(score, 4), gain=gain, before=before, after=after, score=score, size=gain / (yes + no + 1))


@exercise("15.2")
def largest_k() -> Answer:
    def largest() -> int:
        survey = load("survey")
        traces = {k: TopDown(k=k).anonymize(survey).info["trace"]["before"].tolist() for k in range(2, len(survey) + 1)}
        return max(k for k, before in traces.items() if "[1,100)" in before)

    return Answer(largest)


@exercise("15.3")
def misled(k: int) -> Answer:
    def judge(answer: Any) -> str:
        frame = frame_of(answer, "x y z class", "[('a', 'b', 'c', 'yes')]", rows=4 * k)
        classes = frame.groupby(["x", "y"])["class"]
        if classes.size().min() < k:
            return f"x and y alone make a class of {classes.size().min()} rows"
        if classes.nunique().max() > 1:
            return "x and y alone leave a class with several class values"
        flat = dict.fromkeys("xyz", Hierarchy.flat())
        table = Table(frame, quasi=list(flat), decision="class", hierarchies=flat)
        errors = classification_metric(table, TopDown(k=k).anonymize(table))
        return "" if errors > 0 else "what top-down publishes of it predicts every row"

    same = [(x, y, "same" if x == y else "other") for x in "ab" for y in "ab" for _ in range(k)]
    rows = [(x, y, "same" if number == k else each, each) for number, (x, y, each) in enumerate(same)]
    return Answer(judge=judge, rows=rows)


@inputs("15.4")
def build_best_refinement() -> Iterator[tuple]:  # of no two refinements the scores are equal
    for seed in range(24):
        rng = np.random.default_rng(seed)
        values = pd.DataFrame(rng.choice(["a1", "a2", "b1", "b2"], (60, 3)), columns=list("xyz"))
        letters, hidden = (
            values.apply(lambda column: column.str[0]),
            pd.DataFrame("*", index=range(60), columns=list("xyz")),
        )
        levels = [values, letters, hidden]
        at = rng.integers(0, 3, 3)
        shown = pd.DataFrame({name: levels[level][name] for name, level in zip("xyz", at, strict=True)})
        finer = pd.DataFrame({name: levels[max(level - 1, 0)][name] for name, level in zip("xyz", at, strict=True)})
        yes = (values["x"] == "a1") ^ (rng.random(60) < 0.3)
        yield shown, finer, yes.map({True: "yes", False: "no"}), (1, 3, 8)[seed % 3]
