"""Docstrings as Sphinx renders them, with napoleon for the sections: what it would warn of."""

from __future__ import annotations

import inspect
import io

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import roles
from sphinx.ext.napoleon import Config, NumpyDocstring

from anonnb.book.public_names import PublicName

ROLES = ("attr", "class", "cite", "data", "doc", "exc", "func", "meth", "mod", "obj", "ref", "term")
CONFIG = Config(napoleon_custom_sections=[("Guarantees", "params_style")], napoleon_use_ivar=True)


def warnings_of(public: PublicName) -> str:
    """What docutils says about the docstring of a public name; links are not followed."""
    kept = dict(roles._roles)
    for name in ROLES:
        roles.register_local_role(name, _link)
    doc = inspect.getdoc(public.thing) if public.owner is None else inspect.cleandoc(public.thing.__doc__ or "")
    text = str(NumpyDocstring(doc or "", CONFIG, what=public.kind))
    said = io.StringIO()
    try:
        publish_doctree(text, settings_overrides={"warning_stream": said, "report_level": 2})
    finally:  # Sphinx, which registers its own, may run in the same process
        roles._roles = kept
    return said.getvalue().strip()


def _link(name: str, rawtext: str, text: str, lineno: int, inliner: object, options=None, content=None) -> tuple:
    return [nodes.literal(rawtext, text)], []
