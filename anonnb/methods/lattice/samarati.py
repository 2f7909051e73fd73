"""Samarati's binary search for the lowest height of the lattice with a k-anonymous node (Samarati 2001).

The number of rows to suppress never grows upward, so if some node of a height passes, so does one of every greater
height. The answer is the lowest such height only; k-minimal nodes of greater height are not searched for.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from anonnb.core.parameters.constraints import Choice
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.lattice.frequencies import UNKNOWN, Node
from anonnb.methods.lattice.losses import Ncp
from anonnb.methods.lattice.searching import LatticeMethod, Search
from anonnb.privacy.base import Minimality
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table

CRITERIA = ("ncp", "absolute", "relative", "distribution", "suppression")
_LEAST = {
    "ncp": "the least NCP",
    "absolute": "the smallest sum of levels",
    "relative": "the smallest sum of relative levels",
    "distribution": "the most distinct tuples",
    "suppression": "the fewest suppressed rows",
}


@register
@dataclass(frozen=True)
class Samarati(LatticeMethod):
    """Find the lowest height of the lattice at which a node passes, and publish one of its passing nodes.

    Ties go to the smaller level of the first column that differs. Where a required model is not monotone, the heights
    are tried one by one from the bottom.

    Parameters
    ----------
    prefer:
        Which of the passing nodes is published: ``"ncp"`` (least NCP) or, as in the paper, ``"absolute"`` (least sum of
        levels, equal for all nodes of a height), ``"relative"`` (least sum of level / hierarchy height),
        ``"distribution"`` (most distinct tuples) or ``"suppression"`` (fewest suppressed rows).

    Notes
    -----
    ``release.info``: node, suppressed, measure, heights (as visited), answers (a frame of the passing nodes), checked.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    >>> release = Samarati(k=4, max_suppressed=1, prefer="relative").anonymize(table)
    >>> release.info["heights"], release.info["node"]
    ([1, 0], {'Marital_status': 1, 'Sex': 0})

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. No node of a lower height passes: the rows to suppress never grow upward, so halving the heights
        misses none (Samarati 2001); where a required model is not monotone, every height is tried.
    tested:
        50 random tables of up to 14 rows, three columns and random hierarchies: the answers are all passing nodes of
        the lowest height that a full scan of the lattice finds, also with l-diversity or t-closeness required.
    heuristic:
        One of these nodes is chosen by a criterion. Minimal nodes of a greater height are not looked for, though one of
        them may lose less.
    paper:
        P. Samarati, Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and Data
        Engineering 13(6), 2001.
    """

    prefer: str = parameter(Choice(list(CRITERIA)), default="ncp")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        search = Search(table, self)
        visited: list[int] = []
        height = (self._binary if search.predictive else self._upward)(search, visited)
        answers = [node for node in search.lattice.nodes(height) if search.passes(node)]
        if not answers:
            raise search.infeasible(self)
        if height not in visited:
            visited.append(height)
        scores = {node: _scores(search, node) for node in answers}
        if self.prefer == "ncp":
            loss = Ncp(table, search.frequencies, self.k)
            for node, own in scores.items():
                verdict = search.verdict(node)
                own["ncp"] = loss.of(verdict.found, verdict.bad)
        chosen = min(answers, key=lambda node: scores[node][self.prefer])
        listed = [{"node": node, **scores[node]} for node in answers]
        if listening():
            _record_choice(search, scores, chosen, self.prefer)
        return search.release(search.verdict(chosen), self, heights=visited, answers=listed, measure=self.minimized)

    def minimality(self, release: Release) -> Minimality | None:
        return self._one_level_lower_fails(release)

    @property
    def minimized(self) -> str:
        """What the chosen node has least of, in words."""
        return "the sum of levels" + ("" if self.prefer == "absolute" else f", then by {self.prefer}")

    def _binary(self, search: Search, visited: list[int]) -> int:
        low, high = 0, search.lattice.height
        while low < high:
            middle = (low + high) // 2
            visited.append(middle)
            if listening():
                _record_height(search, middle, range(low, high + 1))
            if _any_passes(search, middle):
                high = middle
            else:
                low = middle + 1
        return low

    def _upward(self, search: Search, visited: list[int]) -> int:
        """Try the heights from the bottom: without monotonicity a failing height says nothing about those below it."""
        for height in range(search.lattice.height):
            visited.append(height)
            if listening():
                _record_height(search, height, range(height, height + 1))
            if _any_passes(search, height):
                return height
        return search.lattice.height


def _any_passes(search: Search, height: int) -> bool:
    nodes = search.lattice.nodes(height)
    for index, node in enumerate(ticks(nodes, "nodes")):
        if search.passes(node):
            return True
        # a node that fails further up settles many others, unless none of them is left
        if index + 1 < len(nodes) and search.state[nodes[index + 1]] == UNKNOWN:
            search.look_ahead(node)
    return False


def _record_height(search: Search, height: int, left: range) -> None:
    nodes = search.lattice.nodes(height)
    away = [abs(each - height) for each in left]
    if len(left) > 1:
        why = f"The answer lies between heights {left[0]} and {left[-1]}, so we try the middle, height {height}"
    else:
        why = f"A required model is not monotone, so we try every height from the bottom; height {height} is next"
    note(
        f"Try height {height}",
        f"{why}. If one of its {pluralize(len(nodes), 'node')} passes, no greater height is needed."
        if len(nodes) > 1
        else f"{why}. It has a single node.",
        lambda: search.view.state(search.state, now=nodes),
        pd.DataFrame({"from the middle": away}, index=[f"height {each}" for each in left]),
        [f"height {height}"],
    )


def _record_choice(search: Search, scores: dict[Node, dict[str, float]], chosen: Node, prefer: str) -> None:
    name = search.view.name
    frame = pd.DataFrame(list(scores.values()), index=[name(node) for node in scores])
    frame["distribution"] *= -1
    ties = sum(score[prefer] == scores[chosen][prefer] for score in scores.values())
    note(
        f"Choose {name(chosen)}",
        f"{name(chosen)} is the only node of height {sum(chosen)} that passes."
        if len(scores) == 1
        else f"{len(scores):,} nodes pass at height {sum(chosen)}. Of these, {name(chosen)} has {_LEAST[prefer]}"
        f"{', as have others; the first is taken' if ties > 1 else ''}.",
        lambda: search.view.state(search.state, chosen=chosen),
        frame,
        [name(chosen)],
    )


def _scores(search: Search, node: Node) -> dict[str, float]:
    """Return what the criteria compare; less is better, so distinct tuples count negatively."""
    verdict = search.verdict(node)
    attributes = [search.table.attributes[name] for name in search.frequencies.names]
    relative = sum(each.weight * level / each.levels.height for level, each in zip(node, attributes, strict=True))
    return {
        "absolute": sum(node),
        "relative": relative,
        "distribution": -verdict.n_classes,
        "suppression": verdict.suppressed,
    }
