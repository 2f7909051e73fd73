"""A printed table and ours in one: each cell has our figure, the paper's and the difference, coloured by distance.

Colour is not the only sign: a mark after our figure shows the verdict. A paper's sentences are shown likewise, a line
each, coloured by verdict.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from anonnb.experiments.verdicts import MARKS, RULE, Quantity, Sentence, VerdictRule, judged, quantities, sentences

# from the largest distance of each step: white, then deeper orange; black text reads on all of them
STEPS = ((0.01, "#ffffff"), (0.03, "#fff1dd"), (0.1, "#fdd49e"), (0.2, "#fdae6b"), (float("inf"), "#f28e4b"))
VERDICT_COLOURS = dict(zip(MARKS, ("#ffffff", "#fff1dd", "#fdd49e", "#f28e4b"), strict=True))
_TABLE = "text-align:right;line-height:1.2;white-space:nowrap;font-size:90%"


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide:
    """Figures in the layout of a printed table; made by :func:`side_by_side`."""

    figures: pd.DataFrame  # judged lines
    rows: tuple[str, ...]
    columns: str
    rule: VerdictRule

    def wide(self, value: str) -> pd.DataFrame:
        """Return one of the columns ours, paper, difference, verdict in the layout of the table."""
        found = self.figures.set_index([*self.rows, self.columns])[value].unstack(self.columns)
        order = self.figures.drop_duplicates(list(self.rows)).set_index(list(self.rows)).index
        return found.loc[order, self.figures[self.columns].unique()]

    def texts(self) -> pd.DataFrame:
        """Return each cell as a text: ours with its mark, the paper's, the difference."""
        digits, lines = self.rule.decimals, self.figures
        texts = [
            f"{line.ours:.{digits}f}{MARKS[line.verdict]} {line.paper:.{digits}f} {_signed(line.difference, digits)}"
            for line in lines.itertuples()
        ]
        return SideBySide(lines.assign(text=texts), self.rows, self.columns, self.rule).wide("text")

    def __repr__(self) -> str:
        with pd.option_context("display.width", 200, "display.max_columns", None, "display.max_rows", None):
            return f"{self.texts()}\n{self.legend()}"

    def legend(self) -> str:
        """Return what a cell shows and what its mark means."""
        return f"ours with a mark, the paper's, the difference. {_marked(self.rule.words())}."

    def _repr_html_(self) -> str:
        apart = self.rule.distance(self.figures["ours"], self.figures["paper"])
        far = SideBySide(self.figures.assign(distance=apart), self.rows, self.columns, self.rule)
        texts, distance = self.texts(), far.wide("distance")
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in (*self.rows, *texts.columns))
        body = []
        for place, key in enumerate(texts.index):
            names = key if isinstance(key, tuple) else (key,)
            cells = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
            for text, apart in zip(texts.iloc[place], distance.iloc[place], strict=True):
                cells += _cell(text, apart)
            body.append(f"<tr>{cells}</tr>")
        keys = "".join(f'<td style="{_look(colour)}">{_step(most)}</td>' for most, colour in STEPS)
        what = "distance (share of the printed figure)" if self.rule.relative else "distance"
        lines = "\n".join(body)
        return (
            f'<table style="{_TABLE}" class="dataframe" cellpadding="3">\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{lines}\n</tbody></table>\n<table><tr><td>{what}</td>{keys}</tr></table>\n"
            f"<p><small>{html.escape(self.legend())}</small></p>"
        )


def side_by_side(
    frame: pd.DataFrame,
    rows: Sequence[str] = ("dataset", "k"),
    columns: str = "method",
    block: Sequence[str] = ("dataset",),
    rule: VerdictRule = RULE,
) -> SideBySide:
    """Show a paper's table with our figures in it.

    Parameters
    ----------
    frame:
        A line per figure with the columns ``ours`` and ``paper``, and those named below.
    rows, columns:
        Which columns of ``frame`` name the rows and the columns of the printed table.
    block:
        Within which lines the shape is compared (see :func:`anonnb.experiments.verdicts.judged`).

    Examples
    --------
    >>> frame = pd.DataFrame({"k": [2, 3], "method": "M1", "ours": [0.1, 0.25], "paper": [0.1, 0.2]})
    >>> side_by_side(frame, rows=["k"], block=["method"]).texts()["M1"].tolist()
    ['0.1000= 0.1000 0.0000', '0.2500≠ 0.2000 +0.0500']
    """
    return SideBySide(judged(frame, block, rule), tuple(rows), columns, rule)


@dataclass(frozen=True, eq=False, repr=False)
class SentenceTable:
    """A paper's sentences or figures, a line each with its verdict; made by :func:`sentence_table` or
    :func:`quantity_table`.
    """

    frame: pd.DataFrame

    def __repr__(self) -> str:
        return self.frame.to_string(index=False)

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        head = "".join(f"<th {left}>{html.escape(name)}</th>" for name in self.frame)
        lines = []
        for values in self.frame.itertuples(index=False):
            colour = VERDICT_COLOURS[values.verdict]
            cells = [f"<td {left}>{html.escape(_text(value))}</td>" for value in values]
            place = list(self.frame).index("verdict")
            mark = f"{MARKS[values.verdict]} {values.verdict}"
            cells[place] = f'<td style="text-align:left;{_look(colour)};white-space:nowrap">{mark}</td>'
            lines.append(f"<tr>{''.join(cells)}</tr>")
        body = "\n".join(lines)
        return f'<table class="dataframe">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'


def sentence_table(lines: Iterable[Sentence]) -> SentenceTable:
    """Show the sentences of a paper with their verdicts.

    >>> sentence_table([Sentence("4.2", "Rules survive.", [True, True], remark="as expected")])
    where       sentence   ours in the paper verdict      remark
      4.2 Rules survive. 2 of 2  not printed   exact as expected
    """
    return SentenceTable(sentences(lines))


def quantity_table(lines: Iterable[Quantity]) -> SentenceTable:
    """Show the figures of a paper's running text with ours and their verdicts.

    >>> shown = quantity_table([Quantity("IV", "rows", 98, 100, printed="100 records")])
    >>> shown.frame["verdict"].tolist()
    ['close']
    """
    return SentenceTable(quantities(lines))


def _text(value: object) -> str:
    """Return a cell of a table as a reader sees it; what there is not stays empty."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".").replace("-", "−")
    return f"{value:,}".replace("-", "−") if isinstance(value, int) else str(value)


def _cell(text: str, apart: float) -> str:
    if not isinstance(text, str):
        return "<td></td>"
    ours, paper, difference = text.split(" ")
    colour = next(colour for most, colour in STEPS if apart <= most + 1e-9)
    return f'<td style="{_look(colour)}"><b>{ours}</b><br>{paper}<br><i>{difference}</i></td>'


def _look(colour: str) -> str:
    return f"background:{colour};color:#000"


def _signed(difference: float, digits: int) -> str:
    text = f"{difference:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def _step(most: float) -> str:
    return "more" if most == float("inf") else f"to {most:g}"


def _marked(words: str) -> str:
    for name, mark in MARKS.items():
        words = words.replace(f"{name}:", f"{mark} {name}:")
    return words
