"""How many random cases a long series tries: a quarter of them in `make test`, all in `make thorough`.

Series that take less than two seconds are tried whole every time. The counts on guarantee cards are those of all cases.
"""

import os

THOROUGH = "ANONNB_THOROUGH" in os.environ


def series(count: int) -> range:
    """The numbers of the cases, which are their seeds.

    >>> len(series(400)) in (100, 400)
    True
    """
    return range(count if THOROUGH else -(-count // 4))
