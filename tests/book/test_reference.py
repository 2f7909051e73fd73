"""The reference leaves out no public name, the verbs that classes inherit included."""

from anonnb.book import entries, reference
from anonnb.book.public_names import public_names


def test_every_public_name_has_a_place():
    shown = {public.thing for names in reference.rooms().values() for public in names}
    shown |= {cls for classes in entries.registered().values() for cls in classes.values()}
    lacking = [public.name for public in public_names() if (public.owner or public.thing) not in shown]
    assert lacking == []


def test_methods_come_first_and_bases_are_there():
    rooms, own = reference.rooms(), entries.registered()
    page = reference.room_page("methods", rooms["methods"], own["methods"])
    assert page.index("[Mondrian](methods/Mondrian.md)") < page.index("autoclass:: anonnb.methods.base.Method\n")
    for name in own["methods"]:
        assert f"\nmethods/{name}\n" in page


def test_the_index_leads_to_every_room():
    page = reference.index_page(reference.rooms())
    for room in reference.rooms():
        assert f"[anonnb.{room}]({room}.md)" in page
        assert f"\n{room}\n" in page
