"""Exercises of notebook 42, the three routes."""

from __future__ import annotations

from anonnb.coursework.practice.exercise import Exercise, Numbers, exercise


@exercise("42.1")
def derived_counts(numbers: Numbers) -> Exercise:
    root, leaves, hidden = numbers.one_of(
        [(90, (31, 27, 20), (8, 4)), (120, (52, 33, 21), (11, 3)), (75, (28, 19, 17), (8, 3))]
    )
    shown = ", ".join(map(str, leaves))
    return Exercise(
        f"A tree has {root} people at its root and five leaves. Three leaves are published: {shown}. The counts of the "
        "other two leaves, which have the same parent, are hidden, and so is the parent's. What follows about the two "
        f"together? And would publishing one of them, {hidden[0]}, too, keep k = {hidden[0] - 1}? Answer with a list: "
        'how many people the two leaves have together, then "yes" or "no".',
        hints=[
            "subtract from the root what is published",
            "with one of the two published, the other follows by subtraction, too",
        ],
        worked=f"{root} − {' − '.join(map(str, leaves))} = {sum(hidden)}. With {hidden[0]} published, {sum(hidden)} − "
        f"{hidden[0]} = {hidden[1]} follows, which is below {hidden[0] - 1}: no.",
        expected=lambda: [root - sum(leaves), "no" if 0 < sum(hidden) - hidden[0] < hidden[0] - 1 else "yes"],
    )


MEN_AND_WOMEN = {"divorced": (19, 2), "married": (10, 9), "single": (26, 0)}  # the chapter's 66 people


@exercise("42.2")
def fewest_cells(numbers: Numbers) -> Exercise:
    k = numbers.one_of([4, 5, 6])
    return Exercise(
        "The chapter makes its table 4-anonymous for {Marital_status, Sex} by generalizing divorced and married, which "
        "changes 40 cells. There are 19 divorced men and 2 divorced women, 10 married men and 9 married women, and 26 "
        f"single men. Do better for k = {k}: only cells of Sex may become any_sex, each cell by itself. How few cells "
        "suffice?",
        hints=[
            "only the two divorced women are too few; with whom can they read alike?",
            "rows of the same marital status whose Sex is any_sex too; not all of the men are needed",
        ],
        worked=f"The two women and {k - 2} of the 19 divorced men become any_sex: a class of {k}. The other "
        f"{19 - (k - 2)} men stay a class of their own, and nobody else changes. That is {k} cells, not 40.",
        expected=lambda: sum(_fewest(men, women, k) for men, women in MEN_AND_WOMEN.values()),
    )


def _fewest(men: int, women: int, k: int) -> int:
    """The fewest cells of Sex to generalize so that men, women and the generalized are none or at least k each."""
    ways = [
        (raised_men + raised_women)
        for raised_men in range(men + 1)
        for raised_women in range(women + 1)
        if all(n == 0 or n >= k for n in (men - raised_men, women - raised_women, raised_men + raised_women))
    ]
    return min(ways)


@exercise("42.3")
def two_publications(numbers: Numbers) -> Exercise:
    groups, leaves, k = numbers.one_of([((12, 14), (9, 17), 5), ((13, 11), (16, 8), 5), ((15, 10), (19, 6), 6)])
    return Exercise(
        f"A table publishes two classes: {groups[0]} people under 40 and {groups[1]} from 40 on. A tree of the same "
        f"people publishes two leaves: {leaves[0]} people under {35 if leaves[0] < groups[0] else 45} and {leaves[1]} "
        f"others. Each keeps k = {k}. How many people does the smallest group have that follows from both together?",
        hints=[
            "put both boundaries on one axis of ages: they make three intervals",
            "the middle interval is the difference of two published counts",
        ],
        worked=lambda: _middle(groups, leaves),
        expected=lambda: min(_intervals(groups, leaves)),
    )


def _intervals(groups: tuple[int, int], leaves: tuple[int, int]) -> list[int]:
    """The three groups that two boundaries make of the same people."""
    low, high = sorted((groups[0], leaves[0]))
    return [low, high - low, sum(groups) - high]


def _middle(groups: tuple[int, int], leaves: tuple[int, int]) -> str:
    low, high = sorted((groups[0], leaves[0]))
    smallest = min(_intervals(groups, leaves))
    return (
        f"Below the lower boundary are {low} people, below the higher one {high}; so {high} − {low} = {high - low} "
        f"stand between them, and {sum(groups)} − {high} = {sum(groups) - high} above. The smallest has {smallest}."
    )
