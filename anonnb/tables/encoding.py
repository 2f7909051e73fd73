"""Encoding: a column of values becomes an attribute, with its kind and its ordered domain, and a code per row.

Values are encoded once; everything else computes on the codes. The order of a domain is that of the numbers, of the
declared order, of the hierarchy's leaves, or of the sorted texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.numbering.texts import encode_texts, is_in_arrow
from anonnb.tables.attribute import Attribute, shorten
from anonnb.tables.declared_domain import DeclaredDomain, declared
from anonnb.tables.hierarchies.automatic import MANY
from anonnb.tables.hierarchies.parsing import Written, parse_hierarchy
from anonnb.tables.labels import HIDDEN_CELL, text

KINDS = ("nominal", "ordinal", "numeric")


def encode(
    series: pd.Series,
    kind: str | None = None,
    order: Sequence | None = None,
    hierarchy: Written | None = None,
    rows: np.ndarray | None = None,
    allowed: Iterable | DeclaredDomain | None = None,
) -> tuple[Attribute, np.ndarray]:
    """Return the attribute of a column, and its codes.

    ``rows`` is the number of rows that each entry stands for, one by default; ``allowed`` declares the domain.
    """
    name = series.name
    series = _without_arrow(series)
    hierarchy = None if hierarchy is None else parse_hierarchy(hierarchy, series, counts=rows)
    if kind is not None and kind not in KINDS:
        raise ValueError(f"column {name!r}: kind {kind!r} is not known; use nominal, ordinal or numeric")
    if order is not None and kind not in (None, "ordinal"):
        raise ValueError(f"column {name!r} has an order but is to be {kind}; give one of orders and kinds")
    dtype = series.dtype
    if dtype == np.float16:
        raise TypeError(f"column {name!r} holds float16 numbers, which pandas cannot sort; use .astype('float32')")
    categories = dtype if isinstance(dtype, pd.CategoricalDtype) else None
    if order is None and categories is not None and categories.ordered:
        order = list(categories.categories)
    if order is not None and kind in (None, "ordinal"):
        kind, domain, codes = "ordinal", *_in_order(series, order)
    else:
        kind = kind or _inferred_kind(dtype)
        if kind == "numeric":
            series, categories = _as_numbers(series), None
        codes, domain = factorize(series)
        if kind == "nominal" and hierarchy is not None and hierarchy.values is not None:
            domain, codes = _in_leaf_order(domain, codes, hierarchy.values)
    missing = bool(codes.min(initial=0) < 0)
    codes = (np.where(codes < 0, len(domain), codes) if missing else codes).astype(np.int32, copy=False)
    if allowed is not None and not isinstance(allowed, DeclaredDomain):
        allowed = declared(name, allowed, kind, domain)
    asked = kind == "nominal" and hierarchy is None and len(domain) > MANY
    counts = np.bincount(codes, rows, len(domain)).astype(np.int64) if asked else None
    attribute = Attribute(name, kind, domain, missing, hierarchy, categories, counts=counts, declared=allowed)
    if kind == "nominal" and HIDDEN_CELL in domain:  # a look at the values: texts of a million names take seconds
        release = remedies.command("attack", "read an anonymized table with Release.from_frame")
        warnings.warn(
            Message(
                f"column {name!r} has the value {HIDDEN_CELL!r}, which releases write for a suppressed cell; rename it",
                advice(", or ", release),
            ),
            stacklevel=3,
        )
    if hierarchy is not None:
        attribute.levels  # noqa: B018  bind now, so that an uncovered value is an error here and not later
    return attribute, codes


def _without_arrow(series: pd.Series) -> pd.Series:
    """Return a column of one of Arrow's types with pandas' own: an index of Arrow's dates is no DatetimeIndex."""
    if not isinstance(series.dtype, pd.ArrowDtype):
        return series
    names = {"uint": "UInt", "int": "Int", "bool": "boolean"}

    def nullable(kind: Any) -> Any:
        stem = str(kind).rstrip("0123456789")
        return pd.api.types.pandas_dtype(str(kind).replace(stem, names[stem])) if stem in names else None

    values = series.array.__arrow_array__().to_pandas(date_as_object=False, types_mapper=nullable)
    return values.set_axis(series.index).rename(series.name)


def _inferred_kind(dtype: Any) -> str:
    types = pd.api.types
    if types.is_bool_dtype(dtype):
        return "nominal"
    is_time = types.is_datetime64_any_dtype(dtype) or types.is_timedelta64_dtype(dtype)
    return "numeric" if is_time or (types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype)) else "nominal"


def factorize(series: pd.Series) -> tuple[np.ndarray, pd.Index]:
    if is_in_arrow(series):
        return encode_texts(series)
    try:
        codes, domain = pd.factorize(series, sort=True)
    except TypeError:  # values that cannot be compared with each other: order them by type, then by text
        try:
            codes, domain = pd.factorize(series)
        except TypeError:
            value = next(value for value in series if not pd.api.types.is_hashable(value))
            raise TypeError(
                f"column {series.name!r} holds {shorten(repr(value))}, a {type(value).__name__}; "
                "a cell must be a single value such as a number or a text"
            ) from None
        rank = sorted(range(len(domain)), key=lambda index: (type(domain[index]).__name__, str(domain[index])))
        codes, domain = _reordered(domain, codes, rank)
    if isinstance(domain, pd.CategoricalIndex):
        return codes, domain.categories.take(domain.codes)
    return codes, domain.astype(series.dtype)


def _reordered(domain: pd.Index, codes: np.ndarray, order: Sequence[int]) -> tuple[np.ndarray, pd.Index]:
    new_code = np.empty(len(domain) + 1, dtype=np.int64)
    new_code[np.asarray(order, dtype=np.int64)] = np.arange(len(domain))
    new_code[-1] = -1  # a missing value's code is -1 and stays so
    return new_code[codes], domain.take(np.asarray(order, dtype=np.int64))


def _in_leaf_order(domain: pd.Index, codes: np.ndarray, leaves: Sequence[str]) -> tuple[pd.Index, np.ndarray]:
    rank = {leaf: index for index, leaf in enumerate(leaves)}
    order = sorted(range(len(domain)), key=lambda index: rank.get(text(domain[index]), len(rank)))
    codes, domain = _reordered(domain, codes, order)
    return domain, codes


def _in_order(series: pd.Series, order: Sequence) -> tuple[pd.Index, np.ndarray]:
    """Return domain and codes of an ordinal column; values that do not occur leave the domain."""
    ranks = pd.Index(list(order))
    if ranks.has_duplicates:
        raise ValueError(f"column {series.name!r}: its order names {text(ranks[ranks.duplicated()][0])!r} twice")
    value_codes, values = factorize(series)
    rank = ranks.get_indexer(values)
    if (rank < 0).any():
        stray = (np.append(rank, 0)[value_codes] < 0).argmax()  # the first one in the column
        value = text(values[value_codes[stray]])
        raise ValueError(f"column {series.name!r}: its order does not name the value {shorten(value)!r}; add it")
    present = np.sort(rank)
    domain = ranks.take(present)
    is_category = isinstance(series.dtype, pd.CategoricalDtype)
    codes = np.append(np.searchsorted(present, rank), -1).astype(np.int32)[value_codes]
    return domain if is_category else domain.astype(series.dtype), codes


def _as_numbers(series: pd.Series) -> pd.Series:
    numbers = series
    if _inferred_kind(series.dtype) != "numeric":
        numbers = pd.to_numeric(series.astype(object), errors="coerce")
        bad = (numbers.isna() & series.notna()).to_numpy()
        if bad.any():
            value = shorten(text(series.iloc[int(np.argmax(bad))]))
            raise ValueError(f"column {series.name!r} is to be numeric but holds {value!r}; correct it or use nominal")
        if numbers.dtype.kind == "f" and numbers.isna().any():  # floats, perhaps only because some are missing
            exact = pd.to_numeric(series.astype(object), errors="coerce", dtype_backend="numpy_nullable")
            numbers = exact if pd.api.types.is_integer_dtype(exact.dtype) else numbers
        if pd.api.types.is_bool_dtype(numbers.dtype):
            numbers = numbers.astype("int64")
    if numbers.dtype.kind == "f" and np.isinf(numbers.to_numpy(dtype=float, na_value=np.nan)).any():
        raise ValueError(f"column {series.name!r} holds an infinite number; replace it or mark it missing")
    return numbers
