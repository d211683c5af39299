"""A list that can be cut at any place."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.series import Series

SEQS = st.lists(st.integers(1, 30), max_size=20).map(sorted)


@given(SEQS, st.integers(0, 31), st.integers(0, 31))
def test_every_cut_is_what_a_plain_list_says(seqs: list[int], at: int, after: int) -> None:
    series: Series[str] = Series()
    items = [(seq, f"{index}") for index, seq in enumerate(seqs)]
    for seq, item in items:
        series.add(seq, item)
    upto = [item for seq, item in items if seq <= at]
    assert series.upto(at) == upto
    assert series.count(at) == len(upto)
    assert series.last(at) == (upto[-1] if upto else None)
    assert series.between(after, at) == [item for seq, item in items if after < seq <= at]
    assert list(series) == [item for _, item in items]
    assert [series.seq_of(index) for index in range(len(series))] == seqs
    assert [series[index] for index in range(len(series))] == [item for _, item in items]
