"""Every method and attack has a page that leads to its module and tests, and to its notebook where it has one."""

import pytest

from anonnb.book import entries
from anonnb.reports.plan import notebook_files

FILES = {path.stem: path for path in notebook_files()}
CLASSES = {name: (room, cls) for room, classes in entries.registered().items() for name, cls in classes.items()}


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_leads_everywhere(name):
    room, cls = CLASSES[name]
    notebook = entries.notebook_of(cls, FILES)
    page = entries.entry_page(cls, notebook, "Title")
    assert ("- Notebook: [" in page) == (notebook != "")
    assert f"<code>{cls.__module__}</code>" in page
    assert "- Tests: [test_" in page
    assert "## Guarantee card" in page
    for part in cls.card.parts():
        assert f"| **{part}** |" in page
    assert f"autoclass:: anonnb.{room}.{name}" in page
    home, verb = {"methods": ("Method", "anonymize"), "attacks": ("Attack", "run")}[room]
    if verb not in vars(cls):
        assert f"{{py:meth}}`~anonnb.{room}.base.{home}.{verb}`" in page


@pytest.mark.parametrize(
    ("name", "notebook"),
    [
        ("Mondrian", "13_mondrian"),
        ("KOptimize", "12_k_optimize"),
        ("Samarati", "10_samarati"),
        ("Incognito", "11_incognito"),
        ("TopDown", "15_top_down_bottom_up"),
        ("SafeTree", "20_safe_trees"),
        ("SafeItemsets", "19_safe_itemsets"),
        ("ShallowAttack", "30_shallow_attack"),
        ("DeepAttack", "31_deep_attack"),
        ("InferenceAttack", "32_inference_from_mined_results"),
        ("ChaseAttack", "33_chase_attack"),
        ("LinkageAttack", "34_linkage_attack"),
        ("HomogeneityAttack", "35_homogeneity_background_skewness"),
        ("IntersectionAttack", "36_intersection_and_minimality"),
        ("DeFinettiAttack", "37_definetti"),
        ("DowncodingAttack", "38_downcoding_and_singling_out"),
        ("MembershipAttack", "39_reconstruction_and_membership"),
    ],
)
def test_the_notebook_is_the_one_that_explains_it(name, notebook):
    assert entries.notebook_of(CLASSES[name][1], FILES) == notebook


def test_text_of_cards_is_text():
    assert entries._escaped("a|b <i> `c` $d$ *e*") == r"a\|b \<i\> \`c\` \$d\$ \*e\*"
