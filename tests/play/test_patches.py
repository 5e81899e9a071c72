"""Merge patches as in RFC 7396; that a difference leads from one state to the next is tested with whole games (server/test_snapshots.py)."""

from branchline.play.patches import difference, patched


def test_what_is_null_is_gone_and_the_rest_is_merged():
    assert patched({"a": "b", "c": {"d": "e", "f": "g"}}, {"a": "z", "c": {"f": None}}) == {"a": "z", "c": {"d": "e"}}
    assert patched({"a": [1]}, {"a": {"b": {"c": None}}}) == {"a": {"b": {}}}


def test_a_difference_holds_only_what_changed():
    assert difference({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}, {"a": 1, "b": {"c": 2, "d": 5}}) == {"b": {"d": 5}, "e": None}
