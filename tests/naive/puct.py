"""PUCT as plain Python objects: one game, no arrays, no tricks. The kernels must build the same tree.

`evaluate(features)` gives logits and one utility a player, the mover's first.
"""

import math

import numpy as np

from playmill.core.seeds import mix
from playmill.games import one


class Node:
    def __init__(self, record, key, mover, parent):
        self.record, self.key, self.mover, self.parent = record, key, mover, parent
        self.look = None  # the key for evaluations
        self.edges, self.values, self.visits, self.status, self.is_afterstate = [], None, 0, "new", False


class Edge:
    def __init__(self, node, action, prior):
        self.node, self.action, self.prior = node, action, prior
        self.visits, self.inflight, self.total, self.children, self.afterstate = 0, 0, 0.0, [], None


class Search:
    def __init__(
        self, game, record, stream, evaluate, budget, c_puct, inflight,
        afterstates=False, luck=1.0, points_scale=None, try_all=False,
    ):  # fmt: skip
        self.afterstates, self.luck, self.points_scale, self.try_all = afterstates, luck, points_scale, try_all
        self.game, self.stream, self.evaluate = game, stream, evaluate
        self.budget, self.c_puct, self.inflight = budget, c_puct, inflight
        self.event, self.all_nodes, self.collisions = 0, [], 0
        self.root = self.make_node(record, None)

    def make_node(self, record, parent):
        records = np.array([record], self.game.state)
        node = Node(records[0], one.key_one(self.game, records), one.to_move_one(self.game, records), parent)
        node.look = one.eval_key_one(self.game, records)
        self.all_nodes.append(node)
        return node

    def run(self):
        while self.round():
            pass
        return self.root

    def round(self):
        waiting = []
        while len(waiting) < self.inflight and max(self.root.visits - 1, 0) + len(waiting) < self.budget:
            leaf = self.descend()
            if leaf is None:
                break
            if leaf == "done":
                continue
            waiting.append(leaf)
            if leaf is self.root:
                break
        for leaf in waiting:
            self.expand(leaf)
            self.back_up(leaf)
        return bool(waiting)

    def descend(self):
        node = self.root
        while node.status == "expanded":
            edge = self.best_edge(node)
            edge.inflight += 1
            node = self.step(edge)
        if node.status == "pending":
            self.collisions += 1
            while node.parent is not None:
                node.parent.inflight -= 1
                node = node.parent.node
            return None
        if node.status == "terminal":
            self.back_up(node)
            return "done"
        for other in reversed(self.all_nodes):
            is_twin = other is not node and other.look == node.look and other.is_afterstate == node.is_afterstate
            if is_twin and node.is_afterstate and other.status == "settled":
                node.values, node.status = other.values, "settled"
                self.back_up(node)
                return "done"
            if is_twin and other.status == "expanded" and (priors := self.lent_priors(node, other)):
                node.edges = [Edge(node, action, prior) for action, prior in priors.items()]
                node.values, node.status = other.values, "expanded"
                self.back_up(node)
                return "done"
        node.status = "pending"
        return node

    def lent_priors(self, node, other):
        """The priors of the other node for this one's actions, with a sum of 1; nothing if it lacks one."""
        actions = distinct_actions(self.game, np.array([node.record], self.game.state))
        priors = {edge.action: edge.prior for edge in other.edges}
        if not set(actions) <= set(priors):
            return None
        total = sum(float(priors[action]) for action in actions) if len(actions) < len(priors) else 1.0
        return {action: np.float32(priors[action] / total) for action in actions}

    def best_edge(self, node):
        total = 1 + sum(edge.visits + edge.inflight for edge in node.edges)
        best, best_score = None, -math.inf
        for edge in node.edges:
            n = edge.visits + edge.inflight
            unseen = 1000.0 if self.try_all and node is self.root else node.values[node.mover]
            mean = (edge.total - edge.inflight) / n if n else unseen
            score = mean + edge.prior * self.c_puct * math.sqrt(total) / (1 + n)
            if score > best_score:
                best, best_score = edge, score
        return best

    def step(self, edge):
        records = np.array([edge.node.record], self.game.state)
        is_quiet = not one.meets_chance_one(self.game, records, edge.action)
        if edge.children and is_quiet:
            return edge.children[0]
        if self.afterstates and not is_quiet and edge.afterstate is None:
            return self.make_afterstate(edge)
        if self.afterstates and not is_quiet and edge.afterstate.status != "settled":
            return edge.afterstate
        play_with(self.game, records, edge.action, mix(self.stream, self.event))
        self.event += not is_quiet
        key = one.key_one(self.game, records)
        for child in edge.children:
            if child.key == key:
                return child
        child = self.make_node(records[0], edge)
        edge.children.append(child)
        self.look_for_end(child)
        return child

    def make_afterstate(self, edge):
        records = np.array([edge.node.record], self.game.state)
        self.game.kernels["afterstate"](records[0], edge.action)
        edge.afterstate = self.make_node(records[0], edge)
        edge.afterstate.is_afterstate = True
        self.look_for_end(edge.afterstate)
        return edge.afterstate

    def look_for_end(self, node):
        scores, records = np.zeros(self.game.players), np.array([node.record], self.game.state)
        if one.outcome_one(self.game, records, scores):
            utilities = scores if self.points_scale is None else self.leads(node) / self.points_scale
            node.status, node.values = "terminal", utilities.astype(np.float32)

    def leads(self, node):
        points = np.zeros(self.game.players)
        self.game.kernels["points"](node.record, points)
        return np.array([own - max(np.delete(points, player)) for player, own in enumerate(points)])

    def expand(self, node):
        records = np.array([node.record], self.game.state)
        features = np.zeros((1, self.game.feature_count), np.float32)
        one.encode_one(self.game, records, features[0])
        logits, from_mover = self.evaluate(features)
        utilities = np.roll(np.array(from_mover, np.float64), node.mover)
        if self.points_scale is not None:
            utilities += self.leads(node) / self.points_scale
        node.values = np.clip(utilities, -1, 1).astype(np.float32)
        if node.is_afterstate:
            node.status = "settled"
            return
        actions = distinct_actions(self.game, records)
        weights = [math.exp(float(logits[a]) - max(float(logits[b]) for b in actions)) for a in actions]
        node.edges = [Edge(node, a, np.float32(w / sum(weights))) for a, w in zip(actions, weights, strict=True)]
        node.status = "expanded"

    def back_up(self, node):
        utilities = node.values.astype(np.float64)
        node.visits += 1
        while node.parent is not None:
            edge = node.parent
            if edge.afterstate is not None and edge.afterstate is not node:
                utilities -= (1 - self.luck) * (node.values - edge.afterstate.values)
            edge.visits += 1
            edge.inflight -= 1
            edge.total += utilities[edge.node.mover]
            node = edge.node
            node.visits += 1


def play_with(game, records, action, word):
    game.kernels["play"](records[0], action, np.uint64(word))


def distinct_actions(game, records):
    actions = np.zeros(game.max_legal, np.int32)
    name = "distinct" if "distinct" in game.kernels else "legal"
    return actions[: game.kernels[name](records[0], actions)].tolist()
