"""Notebook 31: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.attacks import nb31


@pytest.mark.parametrize("patterns", nb31.CASES)
def test_every_case_has_one_answer_that_only_the_deep_attack_finds(patterns):
    assert nb31.inferred(patterns, nb31.ShallowAttack) == ""
    assert nb31.inferred(patterns) == nb31.smallest_set(patterns)[1]


def test_the_first_letter_of_the_paper_depends_on_the_order():
    assert nb31.over_orders([("T", "lh"), ("TF", "lm"), ("F", "mh")]) == ["l", "m"]
    assert nb31._not_these(["l", "m"], ["l", "m"]) == ""
    assert "more" in nb31._not_these(["l"], ["l", "m"])
    assert "no order" in nb31._not_these(["h"], ["l", "m"])


@pytest.mark.parametrize("size", [3, 4])
def test_layers_need_all_of_their_rows(size):
    secrets = "abcde"[: size + 1]
    assert nb31._not_so_deep(nb31.layered(size), size, secrets) == ""
    assert "shallow attack infers a" in nb31._not_so_deep(nb31.layered(size)[:-1], size, secrets)
    assert "rows are enough" in nb31._not_so_deep(nb31.layered(size - 1), size, secrets)
    assert "needs towns" in nb31._not_so_deep([("X", "a")], size, secrets)
    assert "pairs" in nb31._not_so_deep(3, size, secrets)


def test_forgetting_a_step_is_found_out():
    def hasty(rows, target):  # (d1) only
        patterns = [("".join(sorted(row["town"])), "".join(sorted(row[target]))) for row in rows if "town" in row]
        found = nb31.smallest_set(patterns)
        return found and found[1]

    assert "yours says" in nb31._differs(hasty)
    assert "yours says" in nb31._differs(lambda rows, target: None)


def test_the_build_meets_cases_that_each_step_decides():
    said = [
        str(value)
        for _, release, table in nb31.releases()
        for value in nb31.DeepAttack(known=1, targets="decision")
        .run(release, table)
        .targets.query("by != 'shallow'")["inferred"]
    ]
    assert min(said.count(""), len(said) - said.count("")) >= 10
