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
