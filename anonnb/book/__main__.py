"""``python -m anonnb.book [OUT]`` builds the book from the last batch of reports; ``make book`` does."""

import sys
from pathlib import Path

from anonnb.core.lazy import leave_out_slow_grammar


def main(arguments: list[str]) -> int:
    leave_out_slow_grammar()
    from anonnb.book.building import BadBook, build

    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print("usage: python -m anonnb.book [OUT]", file=sys.stderr)
        return 2
    try:
        print(build(*map(Path, arguments)) / "index.html")
    except BadBook as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
