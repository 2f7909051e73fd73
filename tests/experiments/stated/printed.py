"""What the papers print, typed off by hand: a figure that we call a paper's must stand in one of these lines."""

import re
from pathlib import Path

from anonnb.experiments.verdicts import Quantity, Sentence

LINES = Path(__file__).with_name("printed_sentences.txt").read_text(encoding="utf-8").splitlines()


def numbers(words: str) -> list[float]:
    """The numbers in a few words; per cent count as shares."""
    found = re.findall(r"(\d[\d,]*(?:\.\d+)?)\s*(%?)", words)
    return [round(float(digits.replace(",", "")) / (100 if percent else 1), 6) for digits, percent in found]


def check_quantity(paper: str, each: Quantity) -> None:
    """The paper's words are typed off, hold the figure, and the verdict follows from the two figures."""
    lines = [line.partition(": ")[2] for line in LINES if line.startswith(f"{paper}: ")]
    assert any(each.printed in line for line in lines), each.printed
    assert each.paper in numbers(each.printed), each
    apart = abs(each.ours - each.paper)
    if each.below:
        assert each.verdict == ("exact" if each.ours < each.paper else "differs")
        assert each.difference is None
        assert each.stated == f"below {each.paper:g}"
    else:
        limit = each.rule.near * (abs(each.paper) if each.rule.relative else 1)
        exact = apart <= 0.5 * 10.0**-each.rule.decimals + 1e-9
        assert each.verdict == ("exact" if exact else "close" if apart <= limit + 1e-9 else "differs")
        assert abs(each.difference) - apart < 1e-4


def check_sentence(said: Sentence) -> None:
    """A sentence that does not come out has a remark."""
    assert said.verdict == "exact" or said.remark, f"{said.text}: say why it does not come out"
