"""What a published file keeps of a requirement, counted from its text by plain Python: nothing of anonnb is used.

Cells are read as a person reads them: ``*``, a value, ``a or b``, ``[low–high]``, ``[low,high)``, or a label of a
hierarchy whose values are given.
"""

import csv
import math
from collections import Counter, defaultdict


def read(path):
    """Header and rows of a CSV file, as texts."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def classes(header, rows, quasi):
    """The rows of each class: those whose quasi-identifiers are written alike."""
    places = [header.index(name) for name in quasi]
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[place] for place in places)].append(row)
    return found


def secrets(header, found, name):
    """How often each secret is written in each class; an empty cell is a secret like any other."""
    place = header.index(name)
    return [Counter(row[place] for row in rows) for rows in found.values()]


def together(counts):
    """How often each secret is written in the whole file."""
    return sum(counts, Counter())


def distinct(counts):
    """The fewest different secrets of a class."""
    return min(len(counter) for counter in counts)


def entropy_l(counts):
    """The least exp(entropy) of a class."""
    return min(
        math.exp(-sum(n / counter.total() * math.log(n / counter.total()) for n in counter.values()))
        for counter in counts
    )


def largest_share(counts):
    """The largest share of one secret in a class."""
    return max(max(counter.values()) / counter.total() for counter in counts)


def equal_distance(counts, whole):
    """The largest distance of a class from the distribution of the whole table: half the sum of the differences."""
    total = whole.total()
    return max(
        sum(abs(counter[value] / counter.total() - n / total) for value, n in whole.items()) / 2 for counter in counts
    )


def fits(cell, value, labels):
    """Whether somebody with this value may stand behind a cell."""
    if cell in ("*", value) or (_number(cell) is not None and _number(cell) == _number(value)):
        return True
    if cell in labels:
        return value in labels[cell]
    if " or " in cell:
        return any(fits(part, value, labels) for part in cell.split(" or "))
    if not (cell.startswith("[") and cell[-1:] in "])"):
        return False
    low, _, high = cell[1:-1].partition("–" if "–" in cell else ",")
    here = _number(value)
    if here is None or _number(low) is None or _number(high) is None:
        return False
    return float(low) <= here <= float(high) and not (cell.endswith(")") and here == float(high))


def people_per_class(found, quasi, population, labels):
    """How many people of a population fit each class; ``labels`` has the values behind the labels of a column."""
    return [
        sum(
            all(fits(cell, person[name], labels.get(name, {})) for name, cell in zip(quasi, cells, strict=True))
            for person in population
        )
        for cells in found
    ]


def people_with(rows, secret, who):
    """The people who have each secret; an empty cell is a secret like any other."""
    found = defaultdict(set)
    for row in rows:
        found[row[secret]].add(row[who])
    return found


def shares(people):
    """For each secret the share of the people who have it, among those with any; and its part of all such pairs."""
    everybody, pairs = len(set().union(*people.values())), sum(map(len, people.values()))
    return {value: (len(each) / everybody, len(each) / pairs) for value, each in people.items()}


def people_distance(own, whole):
    """Half the sum of the differences between two distributions, each person counting once per value."""
    return sum(abs(own.get(value, (0, 0))[1] - part) for value, (_, part) in whole.items()) / 2


def people_rise(own, whole):
    """The largest relative rise of a value's share among people."""
    return max(share / whole[value][0] - 1 for value, (share, _) in own.items())


def people_change(own, whole):
    """The largest logarithm by which a share changes; infinite if a value of the table is absent."""
    if set(own) != set(whole):
        return math.inf
    return max(abs(math.log(share / whole[value][0])) for value, (share, _) in own.items())


def _number(text):
    try:
        return float(text)
    except ValueError:
        return None
