"""Checks for assignments: each is an assertion whose message tells a student what is wrong, and where.

They run in the student's notebook and again, with the hidden tests, at the examiner's, both times on copies of the
answers as plain data (``answers``, ``calling``): so the two cannot disagree. ``releases`` reads tables that somebody
anonymized and judges the text that is published, ``rules`` reads decision rules, ``words`` has what checks raise and
return. NaN never passes: every comparison asks for what is wanted, none for the opposite. Names are looked up when
first used, as a student's process needs few of them.
"""

from typing import TYPE_CHECKING

from anonnb.core.lazy import lazy_imports

if TYPE_CHECKING:
    from anonnb.coursework.checks.answers import (
        agrees,
        among,
        answered,
        at_least,
        at_most,
        equal,
        gives,
        of_type,
        plain,
        share,
    )
    from anonnb.coursework.checks.releases import (
        could_come_from,
        diverse,
        generalized,
        k_anonymous,
        loses_at_most,
        published,
    )
    from anonnb.coursework.checks.rules import certain_rules, complete_rules, covering_rules, minimal_rules
    from anonnb.coursework.checks.words import Credit, Wrong, wrong
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
