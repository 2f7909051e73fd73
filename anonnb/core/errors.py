"""The errors that anonnb raises on purpose, beside Python's own ValueError, TypeError and KeyError."""


class Infeasible(ValueError):
    """No release meets the requirement; ``best`` tells how far the method came, where it knows.

    >>> str(Infeasible("k = 9 needs at least 9 rows; the table has 4", best=4))
    'k = 9 needs at least 9 rows; the table has 4'
    """

    def __init__(self, message: str, best: object = None):
        super().__init__(message)
        self.best = best
