"""Checks for assignments: each is an assertion whose message tells a student what is wrong, and where.

They run in the student's notebook and again, with the hidden tests, at the examiner's, both times on copies of the
answers as plain data (``answers``, ``calling``): so the two cannot disagree. ``releases`` reads tables that somebody
anonymized and judges the text that is published, ``rules`` reads decision rules, ``words`` has what checks raise and
return. NaN never passes: every comparison asks for what is wanted, none for the opposite. Names are looked up when
first used, as a student's process needs few of them.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "Credit": "words",
    "Wrong": "words",
    "wrong": "words",
    "agrees": "answers",
    "among": "answers",
    "answered": "answers",
    "at_least": "answers",
    "at_most": "answers",
    "equal": "answers",
    "gives": "answers",
    "of_type": "answers",
    "plain": "answers",
    "share": "answers",
    "could_come_from": "releases",
    "diverse": "releases",
    "generalized": "releases",
    "k_anonymous": "releases",
    "loses_at_most": "releases",
    "published": "releases",
    "certain_rules": "rules",
    "complete_rules": "rules",
    "covering_rules": "rules",
    "minimal_rules": "rules",
}
__all__ = list(_HOME)
__getattr__, __dir__ = lazy_names(__name__, _HOME)
