import pytest

from rnnkit.plots import Link, Network, Row


def of_three(*rules):
    """Rows a (three nodes) and b (two), and one link from a to b for each rule."""
    links = [Link("a", "b", rule) for rule in rules]
    return Network([Row("a", "first", "aaa"), Row("b", "second", "bb")], links, "A network.")


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("up", [(0, 0), (1, 1)]),
        ("all", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]),
        ("last to first", [(2, 0)]),
        ("first to first", [(0, 0)]),
    ],
)
def test_a_rule_says_which_nodes_of_two_rows_are_joined(rule, pairs):
    assert of_three(rule).arrows() == [(("a", i), ("b", j)) for i, j in pairs]


@pytest.mark.parametrize(
    ("rule", "pairs"), [("next", [(0, 1), (1, 2)]), ("before", [(1, 0), (2, 1)])]
)
def test_a_rule_goes_along_a_row_either_way(rule, pairs):
    network = Network([Row("h", "state", "hhh")], [Link("h", "h", rule)], "A network.")
    assert network.arrows() == [(("h", i), ("h", j)) for i, j in pairs]


def test_of_two_ways_the_shorter_is_taken():
    rows = [Row("h", "state", "hhh"), Row("y", "output", "y")]
    links = [Link("h", "h", "next"), Link("h", "y", "last to first")]
    long = Network(rows, links, "A network.")
    short = Network(rows, [*links, Link("h", "y", "all")], "A network.")
    assert len(long.shortest_path(("h", 0), ("y", 0))) == 3
    assert short.shortest_path(("h", 0), ("y", 0)) == [(("h", 0), ("y", 0))]


def test_the_way_from_a_node_to_itself_has_no_arrows():
    assert of_three("up").shortest_path(("a", 1), ("a", 1)) == []


def test_a_way_against_the_arrows_is_refused():
    with pytest.raises(ValueError, match=r"follow the arrows.*\('b', 0\) to \('a', 0\)"):
        of_three("up").shortest_path(("b", 0), ("a", 0))


@pytest.mark.parametrize("node", [("a", 3), ("a", -1), ("z", 0)])
def test_a_node_that_does_not_exist_is_refused(node):
    with pytest.raises(ValueError, match=rf"Received: \('{node[0]}', {node[1]}\)"):
        of_three("up").shortest_path(node, ("b", 0))


def test_two_rows_with_one_key_are_refused():
    with pytest.raises(ValueError, match="key of its own"):
        Network([Row("a", "first", "a"), Row("a", "second", "a")], [], "A network.")


def test_a_row_without_nodes_is_refused():
    with pytest.raises(ValueError, match="needs a node"):
        Network([Row("a", "first", "")], [], "A network.")


def test_a_link_to_no_row_is_refused():
    with pytest.raises(ValueError, match=r"rows \['a'\].*end='z'"):
        Network([Row("a", "first", "a")], [Link("a", "z", "up")], "A network.")


def test_a_rule_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"'up', 'next'.*Received: 'sideways'"):
        of_three("sideways")
