"""Which conditions of which rules hold for which rows: one compiled pass over code arrays."""

from anonnb.core.compiled import compiled


@compiled(makes_arrays=False)
def count_conditions_met(codes, pointers, attribute, low, high, mask_at, masks, met):
    """Add to ``met`` (rows × rules) the number of conditions that each rule finds satisfied in each row.

    A condition allows the codes ``low..high`` of its attribute or, where ``mask_at`` is not negative, those whose flag
    ``masks[mask_at + code]`` is set. A code of -1 satisfies nothing.
    """
    for row in range(met.shape[0]):
        for rule in range(met.shape[1]):
            for c in range(pointers[rule], pointers[rule + 1]):
                code = codes[attribute[c], row]
                if mask_at[c] >= 0:
                    met[row, rule] += code >= 0 and masks[mask_at[c] + code]
                else:
                    met[row, rule] += low[c] <= code <= high[c]
