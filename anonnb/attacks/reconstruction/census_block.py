"""The block of seven people in Garfinkel, Abowd and Martindale, Understanding database reconstruction attacks, 2018.

Seven lines of counts, medians and means, and seven suppressed because fewer than three people are in them: each is
harmless, and together they fit one table only.
"""

from anonnb.attacks.reconstruction.statistics import Filter, Statistic, Statistics

OLDEST = 115
ADULT, CHILD = range(18, OLDEST + 1), range(0, 18)
FEW = (0, 2)  # suppressed: fewer than three


def census_block() -> Statistics:
    """What was published about the block, and what anybody knows: whole ages up to 115, no married children.

    >>> census_block().published[1]
    sex=female: 4 people, median 30, mean 33.5
    """
    suppressed: list[Filter] = [
        {"marital": "single", "age": ADULT},
        *({"race": race, "sex": sex} for race, sex in (("black", "male"), ("white", "male"), ("white", "female"))),
        *({"age": ages} for ages in (range(0, 5), CHILD, range(64, OLDEST + 1))),
    ]
    return Statistics(
        {
            "age": range(0, OLDEST + 1),
            "race": ("black", "white"),
            "sex": ("female", "male"),
            "marital": ("married", "single"),
        },
        [
            Statistic({}, 7, median=30, mean=38),
            Statistic({"sex": "female"}, 4, median=30, mean=33.5),
            Statistic({"sex": "male"}, 3, median=30, mean=44),
            Statistic({"race": "black"}, 4, median=51, mean=48.5),
            Statistic({"race": "white"}, 3, median=24, mean=24),
            Statistic({"marital": "married", "age": ADULT}, 4, median=51, mean=54),
            Statistic({"race": "black", "sex": "female"}, 3, median=36, mean=36.7),
            *(Statistic(where, FEW) for where in suppressed),
        ],
        number="age",
        never=[{"marital": "married", "age": CHILD}],
    )
