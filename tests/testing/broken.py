"""Methods and attacks that break one thing each, beside a method and an attack that break nothing.

``BROKEN_METHODS`` and ``BROKEN_ATTACKS`` tell which properties of the contract each of them must fail, and no others.
"""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar

import numpy as np

from anonnb import steps
from anonnb.attacks.linkage import LinkageAttack
from anonnb.attacks.matching.candidates import Candidates
from anonnb.attacks.result import SecretResult
from anonnb.attacks.secrets.secret_attack import SecretAttack, candidates_result
from anonnb.core.card import Card
from anonnb.core.errors import Infeasible
from anonnb.methods.base import GroupMethod, KMethod, Method
from anonnb.methods.promises import Anonymity, GroupAnonymity, Promise
from anonnb.steps import note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

BROKEN_METHODS: dict[type, set[str]] = {}
BROKEN_ATTACKS: dict[type, set[str]] = {}
CARD = Card(proved="Every class has at least k rows.")


def breaks(*properties: str, known: dict[type, set[str]] = BROKEN_METHODS) -> Callable[[type], type]:
    """Make a frozen dataclass of a class, with an example, and write down what it must fail."""

    def add(cls: type) -> type:
        cls.__doc__ = f"{cls.__doc__}\n\n    >>> isinstance({cls.__name__}(), {cls.__name__})\n    True\n"
        made = dataclass(frozen=True)(cls)
        known[made] = set(properties)
        return made

    return add


def hidden(table: Table, names=None) -> dict[str, Column]:
    names = table.quasi if names is None else names
    return {name: Column.suppressed(table.attributes[name], len(table)) for name in names}


@dataclass(frozen=True)
class Hiding(GroupMethod):
    """Hides every quasi-identifier: correct, and of little use.

    >>> Hiding(k=3).k
    3
    """

    card: ClassVar[Card] = CARD
    rows_in_seconds: ClassVar[int] = 1_000_000

    def _anonymize(self, table, progress):
        return Release(table, hidden(table), np.arange(len(table)), method=self)


class Unchecked(Hiding):
    """Hands out what it makes without looking at it."""

    def anonymize(self, table, *, progress=None):
        if not isinstance(table, Table):
            raise TypeError("anonymize needs an anonnb.Table")
        self._check_table(table)
        return self._anonymize(table, progress or (lambda items=(), **_: items))


UNCHECKED = ("requirements that nobody can keep",)  # what every method breaks that does not look at its release


# ---- the promise ------------------------------------------------------------------------------------------------


@breaks("within limits")
class AboveLimits(Hiding):
    """Forgets which levels may be published."""

    uses_hierarchies: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "levels"

    def anonymize(self, table, *, progress=None):
        release = super().anonymize(_free(table) if isinstance(table, Table) else table)
        return Release(table, release.columns, release.rows, method=self)


def _free(table: Table) -> Table:
    attributes = {name: replace(each, limit=None) for name, each in table.attributes.items()}
    return table._same_rows(attributes, table._codes, table._roles)


@breaks(
    *("promise kept", "promise kept on nasty tables", "people", "its own check", "requirements kept"),
    *("requirements within reach", *UNCHECKED),
)
class AsItIs(Unchecked):
    """Publishes the table as it is and promises k."""

    def _anonymize(self, table, progress):
        return Release(table, {}, np.arange(len(table)), method=self)


@breaks("promise kept: missing values everywhere", "its own check", *UNCHECKED)
class ForgetsMissing(Unchecked):
    """Hides known values and leaves missing ones as they are."""

    def _anonymize(self, table, progress):
        columns = hidden(table)
        for name in table.quasi:
            attribute, codes = table.attributes[name], table.codes(name)
            if attribute.missing and len(attribute.domain):
                known = np.flatnonzero(codes != attribute.missing_code)
                columns[name] = Column.original(attribute, codes).with_suppressed(known)
        return Release(table, columns, np.arange(len(table)), method=self)


class Relabelled(Release):
    """Writes another text than the object holds."""

    def published(self, also=()):
        frame = super().published(also)
        return frame.assign(**{self.quasi[0]: [f"* {number}" for number in range(len(frame))]})


@breaks("promise kept", "promise kept on nasty tables", "requirements kept", "requirements within reach", "people")
class WritesAnotherText(Hiding):
    """Holds classes in the object that the published file does not have."""

    def _anonymize(self, table, progress):
        return Relabelled(table, hidden(table), np.arange(len(table)), method=self)


@breaks("requirements kept", "requirements within reach", "requirements that nobody can keep")
class IgnoresRequire(Hiding):
    """Takes require= and looks at k alone."""

    promised: ClassVar[type[Promise]] = Anonymity

    def _anonymize(self, table, progress):
        order = np.argsort(table.codes(table.sensitive[0]), kind="stable") if table.sensitive else np.arange(len(table))
        groups = np.empty(len(table), dtype=np.int64)
        groups[order] = np.arange(len(table)) // self.k
        groups = np.minimum(groups, len(table) // self.k - 1)
        return Release(table, _together(table, groups), np.arange(len(table)), method=self)

    order_matters: ClassVar[bool] = True


@breaks("requirements within reach")
class NeverReadsRequire(Hiding):
    """Makes groups of k rows that read alike, and relies on the promise to refuse them."""

    order_matters: ClassVar[bool] = True

    def _anonymize(self, table, progress):
        order = np.lexsort([table.codes(name) for name in table.quasi])
        groups = np.empty(len(table), dtype=np.int64)
        groups[order] = np.minimum(np.arange(len(table)) // self.k, len(table) // self.k - 1)
        return Release(table, _together(table, groups), np.arange(len(table)), method=self)


def _together(table: Table, groups: np.ndarray) -> dict[str, Column]:
    count = int(groups.max()) + 1
    return {name: Column.of_groups(table.attributes[name], table.codes(name), groups, count) for name in table.quasi}


class RowAnonymity(GroupAnonymity):
    """Recounts rows, whoever's they are."""

    def check(self, published):
        if not published.table.people_repeat:
            super().check(published)


@breaks("people")
class CountsRows(Hiding):
    """Makes classes of k rows each, which may all be one person's."""

    promised: ClassVar[type[Promise]] = RowAnonymity

    def _anonymize(self, table, progress):
        if not table.people_repeat:
            return super(type(self), self)._anonymize(table, progress)
        groups = np.minimum(np.argsort(np.argsort(table.people, kind="stable")) // self.k, len(table) // self.k - 1)
        return Release(table, _together(table, groups), np.arange(len(table)), method=self)


@breaks("promise")
class SaysNothing(Hiding):
    """Its promise has no words."""

    @dataclass(frozen=True)
    class Silent(GroupAnonymity):
        @property
        def guarantee(self) -> str:
            return ""

    promised: ClassVar[type[Promise]] = Silent


# ---- the truth, rows and columns --------------------------------------------------------------------------------


@breaks("truth", "requirements within reach")
class Lies(Hiding):
    """Gives everybody the first value of every column."""

    def _anonymize(self, table, progress):
        first = np.zeros(len(table), dtype=np.int64)
        columns = {name: Column.original(table.attributes[name], first) for name in table.quasi}
        return Release(table, columns, np.arange(len(table)), method=self)


@breaks("no row is lost")
class LosesRows(Hiding):
    """Leaves the last row out and says that none is missing."""

    order_matters: ClassVar[bool] = True

    def _anonymize(self, table, progress):
        kept = np.arange(max(len(table) - 1, self.k))
        columns = {name: column.take(kept) for name, column in hidden(table).items()}
        return Release(table, columns, kept, method=self, withheld=0)


@breaks("no row is lost", "requirements within reach")
class PublishesTwice(Hiding):
    """Publishes the first row a second time, to reach k."""

    order_matters: ClassVar[bool] = True

    def _anonymize(self, table, progress):
        rows = np.append(np.arange(len(table)), 0)
        columns = {name: column.take(rows) for name, column in hidden(table).items()}
        return Release(table, columns, rows, method=self)


class WithIdentifiers(Release):
    def published(self, also=()):
        order = self.content_order(list(self.columns))
        names = {name: self.table.frame[name].to_numpy()[self.rows[order]] for name in self.table.identifiers}
        return super().published(also).assign(**names)


@breaks("identifiers", "published order", "row order")
class PublishesNames(Hiding):
    """Publishes who everybody is."""

    def _anonymize(self, table, progress):
        return WithIdentifiers(table, hidden(table), np.arange(len(table)), method=self)


class WithEverything(Release):
    def published(self, also=()):
        return super().published([name for name in self.columns if name not in self.quasi])


@breaks("columns without a role")
class PublishesAll(Hiding):
    """Publishes columns that nobody gave a role."""

    def _anonymize(self, table, progress):
        return WithEverything(table, hidden(table), np.arange(len(table)), method=self)


@breaks("unchanged columns", "requirements kept", "requirements within reach")
class ChangesSecrets(Hiding):
    """Hides the sensitive column too and does not say so."""

    def _anonymize(self, table, progress):
        return Release(table, hidden(table, [*table.quasi, *table.sensitive]), np.arange(len(table)), method=self)


@breaks("hidden secrets")
class ShowsSecrets(Hiding):
    """Says that it hides sensitive values, and publishes them."""

    hides_sensitive: ClassVar[bool] = True


class Unsorted(Release):
    def content_order(self, names):
        return np.arange(len(self))


@breaks("published order", "row order")
class KeepsOrder(Hiding):
    """Publishes the rows in the order of the table."""

    def _anonymize(self, table, progress):
        return Unsorted(table, hidden(table), np.arange(len(table)), method=self)


# ---- what it is made of -------------------------------------------------------------------------------------------


@breaks("frozen")
class Changeable(Hiding):
    """Its parameters can be set."""


Changeable.__setattr__ = object.__setattr__


@breaks("k is checked", "parameters are checked")
class AnyK(Hiding):
    """Takes any k."""

    def __post_init__(self):
        pass

    def _check_table(self, table):
        if len(table) == 0:
            raise Infeasible("the table has no rows")
        if not table.quasi:
            raise ValueError("the table has no quasi-identifier")


@breaks("parameters are checked")
class UncheckedChoice(Hiding):
    """Takes any text for a parameter with two choices."""

    how: str = "stars"


@breaks("pickling", "equality", "pickled results")
class Unpicklable(Hiding):
    """Holds a function that no other process can have."""

    label: Callable = field(default_factory=lambda: lambda value: "*", compare=True)

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "label", lambda value: "*")


@breaks("shown")
class Anonymous(Hiding):
    """Does not tell its name."""

    def __str__(self):
        return "a method"


@breaks("made by name")
class NeedsMore(Hiding):
    """Cannot be made with k alone."""

    salt: str | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.k == 3 and self.salt is None:
            raise ValueError("salt must be given with k = 3")


@breaks("card")
class NoCard(Hiding):
    """Has an empty card."""

    card: ClassVar[Card] = Card()


@breaks("exemptions")
class ExemptFromNothing(Hiding):
    """Is exempt from a property that there is not."""

    exempt: ClassVar[dict[str, str]] = {"everything": "because"}


# ---- the tables it takes ------------------------------------------------------------------------------------------


@breaks("no rows", *UNCHECKED)
class TakesNothing(Unchecked):
    """Publishes a table without rows."""

    def _check_table(self, table):
        if len(table):
            super()._check_table(table)


@breaks("no quasi-identifier", *UNCHECKED)
class TakesAnything(Unchecked):
    """Publishes a table of which nobody said what identifies."""

    def _check_table(self, table):
        Method._check_table(self, table)
        if len(table) < self.k:
            raise Infeasible(f"k = {self.k} needs more rows than the table has", best=len(table))


@breaks("k above the rows")
class NoBest(Hiding):
    """Is infeasible without telling how far it came."""

    def _check_table(self, table):
        if len(table) < self.k:
            raise Infeasible("the table has fewer than k rows")
        super()._check_table(table)


@breaks("needs a decision")
class NeedsDecision(Hiding):
    """Needs a decision and notices late."""

    needs_decision: ClassVar[bool] = True

    def _check_table(self, table):
        super()._check_table(table if table.decision else table.with_roles(decision=table.sensitive[0]))


@breaks("not a table")
class TakesFrames(Hiding):
    """Falls over whatever is no table."""

    def anonymize(self, table, *, progress=None):
        len(table.quasi)
        return super().anonymize(table, progress=progress)


@breaks("refusals in a sentence", "promise kept: dates")
class CrashesOnDates(Hiding):
    """Reaches for a value that is not there."""

    def _anonymize(self, table, progress):
        if "day" in table.quasi:
            [][1]
        return super()._anonymize(table, progress)


@breaks("refusals in a sentence")
class Talkative(Hiding):
    """Refuses in several sentences."""

    def _check_table(self, table):
        super()._check_table(table)
        if "day" in table.quasi:
            raise ValueError("Column day holds dates. Dates are hard. Please remove column day")


@breaks("works", "takes most tables", "requirements within reach")
class RefusesAll(Hiding):
    """Never publishes anything."""

    def _check_table(self, table):
        super()._check_table(table)
        raise Infeasible(f"the table has no release with k = {self.k}", best=1)


# ---- repeatability ------------------------------------------------------------------------------------------------

_COUNTER = itertools.count()


def _some(table: Table, number: int) -> dict[str, Column]:
    """All quasi-identifiers hidden but the one with this number, of which a set with all values stays."""
    names = sorted(table.quasi, key=str)
    kept = names[number % len(names)]
    attribute, label = table.attributes[kept], f"any {number % 7}"
    sets = ValueSets(attribute, [0], [attribute.size - 1], labels=[label])
    return hidden(table) | {kept: Column(sets, np.zeros(len(table)))}


@breaks(
    *("same bytes", "threads", "pickled results", "row order", "index", "no other randomness"),
    *("progress changes nothing", "steps"),
)
class Counting(Hiding):
    """Publishes something else each time."""

    truthful: ClassVar[bool] = False

    def _anonymize(self, table, progress):
        return Release(table, _some(table, next(_COUNTER)), np.arange(len(table)), method=self)


@breaks("steps")
class Mumbling(Hiding):
    """Tells a step in half a sentence."""

    def _anonymize(self, table, progress):
        note("Hide", "hides all", table)
        return super()._anonymize(table, progress)


@breaks("steps")
class Storytelling(Hiding):
    """Tells a story that ends with another release."""

    def steps(self, table, *, most=60):
        return steps.of(Release.of, table)


@breaks("steps")
class LongWinded(Hiding):
    """Tells every step, however few are asked for."""

    def _anonymize(self, table, progress):
        for number in range(10):
            note("Hide", f"It hides all, and says so the {number}th time.", table)
        return super()._anonymize(table, progress)

    def steps(self, table, *, most=60):
        return super().steps(table)


@breaks("no other randomness")
class GlobalSeed(Hiding):
    """Sets the seed of everybody."""

    def _anonymize(self, table, progress):
        np.random.seed(0)
        random.seed(0)
        return super()._anonymize(table, progress)


@breaks("a fresh process")
class HashOrder(Hiding):
    """Depends on how Python hashes texts."""

    truthful: ClassVar[bool] = False

    def _anonymize(self, table, progress):
        return Release(table, _some(table, hash("salt")), np.arange(len(table)), method=self)


@breaks("row order")
class ByPosition(Hiding):
    """Groups neighbours in the table and does not say that the order matters."""

    def _anonymize(self, table, progress):
        size = max(self.k, len(table) // 2)
        groups = np.minimum(np.arange(len(table)) // size, len(table) // size - 1)
        columns = {
            name: Column.of_groups(table.attributes[name], table.codes(name), groups, int(groups.max()) + 1)
            for name in table.quasi
        }
        release = Release(table, columns, np.arange(len(table)), method=self)
        return super()._anonymize(table, progress) if self.require else release


@breaks("index")
class ReadsIndex(Hiding):
    """Looks at the index."""

    truthful: ClassVar[bool] = False

    def _anonymize(self, table, progress):
        return Release(
            table, _some(table, len(str(sorted(map(str, table.index))[0]))), np.arange(len(table)), method=self
        )


@breaks("input unchanged")
class ChangesInput(Hiding):
    """Sorts a column of the table that it was given."""

    def _anonymize(self, table, progress):
        codes = table.codes(table.quasi[0])
        codes.setflags(write=True)
        codes.sort()
        return super()._anonymize(table, progress)


@breaks("stays as it is")
class Remembers(Hiding):
    """Keeps what it saw last."""

    def _anonymize(self, table, progress):
        object.__setattr__(self, "last", table)
        return super()._anonymize(table, progress)


# ---- manners ------------------------------------------------------------------------------------------------------


@breaks("prints nothing")
class Prints(Hiding):
    """Prints while it works."""

    def _anonymize(self, table, progress):
        print("hiding", len(table), "rows")
        return super()._anonymize(table, progress)


@breaks("progress is called")
class SlowAndSilent(Hiding):
    """Takes long and does not tell how far it is."""

    rows_in_seconds: ClassVar[int] = 100


@breaks("progress changes nothing")
class NoProgress(Hiding):
    """Falls over a progress bar."""

    def _anonymize(self, table, progress):
        if getattr(progress, "__name__", "") != "no_progress":
            raise ValueError("the table cannot be worked on with progress")
        return super()._anonymize(table, progress)


@breaks("named in the result")
class Borrowed(Hiding):
    """Says that another method made it."""

    def _anonymize(self, table, progress):
        return Release(table, hidden(table), np.arange(len(table)), method=Hiding(k=self.k + 1))


@breaks("info", "published order")
class NoInfo(Hiding):
    """Puts something else where a dict belongs."""

    def _anonymize(self, table, progress):
        release = super()._anonymize(table, progress)
        vars(release)["info"] = ["nothing"]
        return release


@breaks("what it publishes")
class SaysTree(Hiding):
    """Says that it publishes a tree."""

    publishes: ClassVar[str] = "tree"


@breaks("made by name", "equality", "k above the rows")
class ForgetsK(KMethod):
    """Sets k to 2 whatever was asked for."""

    card: ClassVar[Card] = CARD
    rows_in_seconds: ClassVar[int] = 1_000_000

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "k", 2)

    def _anonymize(self, table, progress):
        return Release(table, hidden(table), np.arange(len(table)), method=self)


# ---- attacks ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guessing(SecretAttack):
    """Guess the most common secret of a person's candidates, and be sure if it is the only one: correct.

    >>> Guessing().kind
    'secret'
    """

    card: ClassVar[Card] = Card(heuristic="The most frequent value is guessed.")

    def _secrets(self, release, people, names):
        cases = Candidates(release, people, release.quasi, names)
        return {name: self._result(self._on(cases.of(name))) for name in names}

    def _on(self, cases):
        guess, belief = cases.likeliest()
        return candidates_result(self, cases, self._guess(cases, guess), belief, belief == 1, dict)

    def _guess(self, cases, guess):
        return guess

    def _result(self, result):
        return result


def breaks_attack(*properties: str) -> Callable[[type], type]:
    return breaks(*properties, known=BROKEN_ATTACKS)


@breaks_attack("claims without the truth")
class Peeks(Guessing):
    """Guesses the true secret of the first person of a case."""

    def _guess(self, cases, guess):
        return cases.truth()[cases.first_person]


@breaks_attack("guesses for everybody")
class Silent(Guessing):
    """Guesses only where it is sure."""

    def _result(self, result):
        return result.replace(beliefs=result.beliefs[result.beliefs["belief"] == 1], right=result.sure_right)


@breaks_attack("guesses for everybody")
class Miscounts(Guessing):
    """Counts fewer right guesses than it makes."""

    def _result(self, result):
        return result.replace(right=result.right / 2)


@breaks_attack("counts", "guesses for everybody")
class Boasts(Guessing):
    """Succeeds more than always."""

    def _result(self, result):
        return result.replace(right=2.0 * result.attempts)


@breaks_attack("scores")
class Overrates(Guessing):
    """Gives every case a score above 1."""

    def _result(self, result):
        return result.replace(targets=result.targets.assign(score=1.5))


@breaks_attack("attempts")
class Floats(Guessing):
    """Counts people as if there could be half of one."""

    def _result(self, result):
        return result.replace(attempts=float(result.attempts))


@breaks_attack(*("input unchanged", "same result", "without the table", "threads", "steps", "claims without the truth"))
class Spoils(Guessing):
    """Overwrites the published cells that it reads."""

    def _attack(self, release, people):
        result = super()._attack(release, people)
        index = release.columns[release.sensitive[0]].index
        index.setflags(write=True)
        index[:] = np.roll(index, 1)
        return result


@breaks_attack("same result", "without the table", "no other randomness", "threads", "steps")
class Rolls(Guessing):
    """Draws without a seed."""

    def _result(self, result):
        sure = np.random.random()
        return result.replace(sure=sure * result.sure, sure_right=sure * result.sure_right)


@breaks_attack("without the table")
class NeedsTable(Guessing):
    """Falls over when no table is given."""

    def run(self, release, table=None, *, control=None):
        return super().run(release, table.take(np.arange(len(table))), control=control)


@breaks_attack("missing values", "refusals in a sentence")
class FearsMissing(Guessing):
    """Falls over a missing secret."""

    def _attack(self, release, people):
        if release.columns[release.sensitive[0]].attribute.missing if release.sensitive else False:
            raise IndexError("no such value")
        return super()._attack(release, people)


@breaks_attack("nothing published", "refusals in a sentence", "few rows")
class FearsNothing(Guessing):
    """Divides by the number of rows."""

    def _attack(self, release, people):
        assert len(release) / len(release) == 1
        return super()._attack(release, people)


@breaks_attack("result")
class OnlyNumbers(Guessing):
    """Names another attack in its result."""

    def _result(self, result):
        return result.replace(attack=Guessing())


@breaks_attack("kind")
class Misfiled(Guessing):
    """Says that it links people, and guesses secrets."""

    kind: ClassVar[str] = "linkage"


@breaks_attack("more published, more found")
class Backwards(Guessing):
    """Guesses well where everybody is a candidate, and only there."""

    def _guess(self, cases, guess):
        return np.where(cases.size == len(cases.release), guess, -1)


@breaks_attack("needs a secret")
class NeedsNothing(Guessing):
    """Says that it needs a secret and does without."""

    def _attack(self, release, people):
        if not release.sensitive:
            return SecretResult.worst(self._secrets(release, people, release.quasi[:1]))
        return super()._attack(release, people)


@breaks_attack("counts")
class TooSure(Guessing):
    """Is right about more people than it is sure about."""

    def _result(self, result):
        return result.replace(sure_right=result.sure + 1)


def below_nothing(reference, values):
    return -0.5


@breaks_attack("figures")
class Worthless(Guessing):
    """Takes a constant guess to be right less than never."""

    def _result(self, result):
        return result.replace(constant=below_nothing)


class Bare(SecretResult):
    """Shows a success and nothing else."""

    @property
    def _sentence(self):
        return f"right about {self.right:g} people"


@breaks_attack("comparison")
class Alone(Guessing):
    """Compares its success with nothing."""

    def _result(self, result):
        return Bare(**{each.name: vars(result)[each.name] for each in fields(result)})


@breaks_attack("absent columns")
class FearsGaps(Guessing):
    """Reaches for a column that the people need not have."""

    def _attack(self, release, people):
        [name for name in people.columns if name in release.quasi][len(release.quasi) - 1]
        return super()._attack(release, people)


@breaks_attack("control", "few rows")
class Uncontrolled(Guessing):
    """Takes no control."""

    def run(self, release, table=None):
        return super().run(release, table)


@breaks_attack("control")
class Forgetful(Guessing):
    """Takes a control and does not use it."""

    def run(self, release, table=None, *, control=None):
        return super().run(release, table, control=control).replace(outside=None)


@breaks_attack("control")
class Trusting(Guessing):
    """Takes members for a control."""

    def _releases(self, release):
        return []


@breaks_attack("card", "parameters are checked")
class Careless(Guessing):
    """Takes anything for a share, and has no card."""

    card: ClassVar[Card] = Card()
    belief: float = 0.5


@breaks_attack("counts", "figures")
class LinksTwice(LinkageAttack):
    """Links everybody to two rows, and outsiders too."""

    def _attack(self, release, people):
        result = super()._attack(release, people)
        return result.replace(linked=2 * result.attempts)
