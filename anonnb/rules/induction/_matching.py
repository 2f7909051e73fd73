"""Which conditions of which rules hold for which rows: one compiled pass over code arrays."""

import numpy as np

from anonnb.core.compiled import compiled


@compiled
def conditions_met(codes, pointers, attribute, low, high, mask_at, masks):
    """Number of conditions that each rule finds satisfied in each row (rows × rules).

    A condition allows the codes ``low..high`` of its attribute or, where ``mask_at`` is not negative, those whose flag
    ``masks[mask_at + code]`` is set. A code of -1 satisfies nothing.
    """
    rows, rules = codes.shape[1], len(pointers) - 1
    met = np.zeros((rows, rules), np.int32)
    for row in range(rows):
        for rule in range(rules):
            for c in range(pointers[rule], pointers[rule + 1]):
                code = codes[attribute[c], row]
                if mask_at[c] >= 0:
                    met[row, rule] += code >= 0 and masks[mask_at[c] + code]
                else:
                    met[row, rule] += low[c] <= code <= high[c]
    return met


@compiled
def _satisfies(row, condition, keys, index, sup_ptr, sup_list):
    """Whether a row satisfies one condition."""
    kind, item, value = condition[0], condition[1], condition[2]
    if kind == 0:
        return keys[row, item] >= value
    place = index[row, item]
    for at in range(sup_ptr[place], sup_ptr[place + 1]):  # noqa: SIM110  numba compiles the loop, not any()
        if sup_list[at] == value:
            return True
    return False


@compiled
def reach(rows, decisions, n_decisions, offset, cand_of, keys, index, sup_ptr, sup_list):
    """For each row u and decision set e: whether a row with e (at ``offset`` + its number) meets u's conditions."""
    found = np.zeros((rows, n_decisions), np.bool_)
    condition = np.ones(3, np.int64)
    for u in range(rows):
        for v in range(rows):
            if found[u, decisions[v]]:
                continue
            meets = True
            for f in range(keys.shape[1]):
                if keys[offset + v, f] < keys[u, f]:
                    meets = False
                    break
            for h in range(index.shape[1]):
                if not meets:
                    break
                condition[1], condition[2] = h, cand_of[index[u, h]]
                meets = condition[2] < 0 or _satisfies(offset + v, condition, keys, index, sup_ptr, sup_list)
            found[u, decisions[v]] = meets
    return found
