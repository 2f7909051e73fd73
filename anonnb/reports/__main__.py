"""For authors of notebooks: ``python -m anonnb.reports refresh [NOTEBOOKS...]`` and ``... index``."""

import sys


def main(arguments: list[str]) -> int:
    from anonnb.reports.catalogue import write_navigation, write_notebook_index
    from anonnb.reports.refreshing import refresh

    match arguments:
        case ["index"]:
            changed = write_navigation()
        case ["refresh", *names]:
            changed = refresh(names or None)
            changed += [path for path in write_navigation() if path not in changed]
        case _:
            print("usage: python -m anonnb.reports refresh [NOTEBOOKS...] | index", file=sys.stderr)
            return 2
    for path in changed:
        print(f"changed: {path}")
    print(write_notebook_index())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
