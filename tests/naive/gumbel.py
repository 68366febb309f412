"""Gumbel search as plain Python: the same tree work as `naive.puct`, other choices."""

import math

from naive import puct


def considered_visits(considered, budget):
    """The visits that an action must have, simulation by simulation, as a list."""
    if considered <= 1:
        return list(range(budget))
    phases, sequence, visits, left = math.ceil(math.log2(considered)), [], 0, considered
    while len(sequence) < budget:
        for _ in range(max(1, budget // (phases * left))):
            sequence += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return sequence[:budget]


class Search(puct.Search):
    def __init__(self, *args, considered=16, c_visit=50.0, c_scale=1.0, noise=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.considered, self.c_visit, self.c_scale, self.noise = considered, c_visit, c_scale, noise

    def best_edge(self, node):
        scores = self.scores(node)
        taken = [edge.visits + edge.inflight for edge in node.edges]
        if node is self.root:
            needed = considered_visits(min(self.considered, len(taken)), self.budget)[sum(taken)]
            noise = self.noise if self.noise is not None else [0.0] * len(taken)
            ranked = [s + g if n == needed else -math.inf for s, g, n in zip(scores, noise, taken, strict=True)]
        else:
            policy = softmax(scores)
            ranked = [p - n / (1 + sum(taken)) for p, n in zip(policy, taken, strict=True)]
        return node.edges[max(range(len(ranked)), key=lambda i: (ranked[i], -i))]

    def scores(self, node):
        visited = [edge for edge in node.edges if edge.visits]
        total, mass = sum(edge.visits for edge in visited), sum(float(edge.prior) for edge in visited)
        own = float(node.values[node.mover])
        seen = sum(float(edge.prior) * edge.total / edge.visits for edge in visited)
        unseen = (own + total * seen / mass) / (1 + total) if mass > 0 else own
        scale = 0.5 * self.c_scale * (self.c_visit + max((edge.visits for edge in visited), default=0))
        values = [edge.total / edge.visits if edge.visits else unseen for edge in node.edges]
        return [math.log(max(float(e.prior), 1e-30)) + scale * v for e, v in zip(node.edges, values, strict=True)]


def softmax(scores):
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / sum(weights) for weight in weights]
