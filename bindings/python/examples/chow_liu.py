"""A learner in ten lines: the tree of the largest mutual informations (Chow and Liu 1968)."""
import networkx
import pandas

import bnbench


def chow_liu(data: pandas.DataFrame):
    graph = networkx.Graph()
    for a in data:
        for b in data.columns[data.columns.get_loc(a) + 1:]:
            graph.add_edge(a, b, weight=bnbench.test("g2", data[[a, b]], a, b).statistic)
    return networkx.bfs_tree(networkx.maximum_spanning_tree(graph), data.columns[0])


bnbench.main(chow_liu)
