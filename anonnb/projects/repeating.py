"""Next month's file: the values that are new in it, and the recoding of the last release where the method has one."""

from __future__ import annotations

import warnings
from typing import Any

from anonnb.tables.attribute import some
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def new_values(old: Table, new: Table) -> list[str]:
    """A sentence for every column with a role whose values did not all occur before.

    >>> import pandas as pd
    >>> old, new = (Table(pd.DataFrame({"zip": cells}), quasi="zip") for cells in (["a", "b"], ["a", "c"]))
    >>> new_values(old, new)
    ["column 'zip' has 1 value that did not occur before: c"]
    """
    said = []
    for name in dict.fromkeys([*new.quasi, *new.sensitive, new.decision]):
        if name is None or name not in old.attributes:
            continue
        known = set(old.attributes[name].labels)
        fresh = [label for label in new.attributes[name].labels if label not in known]
        if fresh:
            values = f"{len(fresh):,} values" if len(fresh) > 1 else "1 value"
            said.append(f"column {name!r} has {values} that did not occur before: {some(fresh)}")
    return said


def recoded_alike(method: Any, old: Table, new: Table, **options: Any) -> tuple[Release | None, str]:
    """The new table generalized as the old one was, and a sentence about it; None if that cannot keep the promise.

    >>> import pandas as pd
    >>> from anonnb.methods import Samarati
    >>> from anonnb.tables.hierarchy import Hierarchy
    >>> made = {"quasi": "age", "hierarchies": {"age": Hierarchy.intervals(10)}}
    >>> old, new = (Table(pd.DataFrame({"age": cells}), **made) for cells in ([11, 14], [14, 11, 11]))
    >>> recoded_alike(Samarati(k=2), old, new)[0].frame["age"].tolist()
    ['[10,20)', '[10,20)', '[10,20)']
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about the old table came when it was published
            release = method.anonymize(old, **options).recode(new)
        method.promise.check(release)
    except ValueError as reason:
        return None, f"the recoding of the project's own table does not do here ({reason}); it is anonymized anew"
    return release, "generalized like the project's own table"
