"""The counts of a secret without their zeros, against the same matrix with them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.sparse import csr_array

from anonnb.attacks.matching.secret_counts import SecretCounts


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6), elements=st.integers(0, 3)))
def test_lines_say_what_a_matrix_says(matrix):
    counts = SecretCounts(csr_array(matrix))
    values = matrix.shape[1]
    whole = matrix if values else np.zeros((len(matrix), 1))
    left, first = counts.left()
    assert left.tolist() == (whole > 0).sum(axis=1).tolist()
    assert first.tolist() == (whole > 0).argmax(axis=1).tolist()
    shares = whole / np.maximum(whole.sum(axis=1, keepdims=True), 1e-12)
    assert counts.shares.tolist() == shares[whole > 0].tolist()
    value, share = counts.largest(counts.shares)
    assert value.tolist() == shares.argmax(axis=1).tolist()
    assert share.tolist() == shares.max(axis=1).tolist()
