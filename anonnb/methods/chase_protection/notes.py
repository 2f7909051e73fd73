"""The steps of SCIKD on one object: level by level, which sets of cells may stay visible, and what is hidden then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.rules.incomplete.knowledge import Knowledge
from anonnb.rules.induction.rule import Rule
from anonnb.steps.recording import note
from anonnb.steps.states import Graph

MOST_OBJECTS = 12  # objects whose search is recorded; the others are searched in the same way
MOST_SETS = 60  # sets of an object in a picture; more are listed


def tell_rules(rules: Sequence[Rule], frame: pd.DataFrame) -> None:
    """Note what an attacker may know."""
    names = pd.Index([str(rule) for rule in rules], name="rule")
    known = pd.DataFrame({"confidence": [round(rule.confidence, 4) for rule in rules]}, index=names)
    sentence = f"An attacker may know {counted(len(rules), 'rule')}, which may lead from visible cells to the secret"
    note("The rules", f"{sentence}.", frame, known)


class ObjectTelling:
    """Notes the levels of one object's search; sets of cells are bitmasks over the object's attributes."""

    def __init__(self, knowledge: Knowledge, attributes: Sequence[int], number: int, count: int):
        self._names = [str(knowledge.names[attribute]) for attribute in attributes]
        self._what = f", object {number + 1} of {count}" if count > 1 else ""
        self._looked: dict[int, bool] = {}

    def level(self, sets: np.ndarray, marked: np.ndarray, strongest: np.ndarray, closures: Sequence[str] = ()) -> None:
        """Note the sets of one size: those from which the secret follows are marked and do not grow.

        ``closures`` are what follows from each set, in words, where that is to be shown.
        """
        self._looked |= dict(zip(sets.tolist(), marked.tolist(), strict=True))
        names = pd.Index([self._called(bits) for bits in sets.tolist()], name="visible cells")
        what_follows = {"closure": closures} if len(closures) else {}
        frame = pd.DataFrame({**what_follows, "secret follows with weight": strongest.round(4)}, index=names)
        size = int(sets[0]).bit_count()
        free = int((~marked).sum())
        sentence = f"From {free} of {counted(len(sets), 'such set')} no secret follows, and only these can grow"
        title = f"Sets of {counted(size, 'cell')}{self._what}"
        note(title, f"{sentence}.", self._state(), frame, names[~marked].tolist())

    def hidden(self, places: Iterable[int], largest: np.ndarray, named: np.ndarray) -> None:
        """Note what is hidden in the end: of the largest sets that may stay, all but the one that rules name most."""
        gone = [self._names[place] for place in places]
        stays = ", ".join(name for name in self._names if name not in gone) or "nothing"
        what = ", ".join(gone) or "nothing"
        sets = pd.Index([self._called(bits) or "nothing" for bits in largest.tolist()], name="may stay")
        frame = pd.DataFrame({"mentions in rules": named.astype(np.int64)}, index=sets)
        if len(sets) == 1:
            chosen = "The largest set from which no secret follows stays"
        else:
            chosen = f"Of the {len(sets)} largest sets from which no secret follows the one stays that rules name most"
        sentence = f"{chosen}: {stays}. Hidden: {what}"
        note(f"Hide {what}{self._what}", f"{sentence}.", self._state(), frame, [stays])

    def _called(self, bits: int) -> str:
        return ", ".join(name for place, name in enumerate(self._names) if bits >> place & 1)

    def _state(self) -> Graph | pd.DataFrame:
        if len(self._looked) > MOST_SETS:
            lines = [(self._called(bits), marked) for bits, marked in self._looked.items()]
            return pd.DataFrame(lines, columns=["visible cells", "secret follows"])
        nodes = {bits: (bits.bit_count() - 1, "pruned" if marked else "kept") for bits, marked in self._looked.items()}
        texts = {bits: self._called(bits) for bits in nodes}
        places = range(len(self._names))
        pairs = [(bits ^ (1 << place), bits) for bits in nodes for place in places if bits >> place & 1]
        return Graph.of(nodes, [pair for pair in pairs if pair[0] in nodes], texts=texts, down=False)
