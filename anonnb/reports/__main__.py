"""For those who write notebooks: ``python -m anonnb.reports refresh [NOTEBOOKS...]`` and ``... index``."""

import sys


def main(arguments: list[str]) -> int:
    from anonnb.reports.catalogue import write_notebook_index
    from anonnb.reports.refreshing import refresh

    match arguments:
        case ["index"]:
            print(write_notebook_index())
        case ["refresh", *names]:
            for path in refresh(names or None):
                print(f"changed: {path}")
            print(write_notebook_index())
        case _:
            print("usage: python -m anonnb.reports refresh [NOTEBOOKS...] | index", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
