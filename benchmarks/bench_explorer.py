"""How long one change of the explorer takes on Adult, k = 10: processor seconds for release, numbers, picture, rows.

The largest of three changes of k; the first use of a method, which compiles, is not counted.
"""

import sys
import time
import warnings

import matplotlib

from anonnb.widgets.exploration import PICTURES, Exploration


def seconds(exploration: Exploration) -> float:
    start = time.process_time()
    for part in (exploration.summary_html, exploration.picture_html, exploration.tables_html):
        part()
    return time.process_time() - start


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    matplotlib.use("agg")
    exploration = Exploration("adult", start={"k": 9})
    print(f"{'':18}{''.join(f'{picture:>16}' for picture in PICTURES)}")
    for name in names or exploration.controls.choices["method"]:
        line = f"{name:18}"
        for picture in PICTURES:
            times = []
            for k in (9, 10, 11, 12):
                exploration.choose(method=name, k=k, picture=picture, column="education")
                exploration._kept.clear()  # nothing from before, as if k were new
                times.append(seconds(exploration))
            line += f"{max(times[1:]):14.2f} s"
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
