"""Neural guidance for Diplomacy: a policy-value network over the 81 locations, its training, and searches that ask it.

The modules import PyTorch, so they are imported where they are used and this file imports nothing. In the order of reading:

    features, logit_ids a position as numbers; where the score of an order stands in the network's answer
    spec, model         the network's size; the network
    checkpoint          files of it
    samples, batches    records of games as what training wants
    losses, training    learning
    evaluator           answers, many positions at a time
    priors, guidance    scores of orders and values for the search
    players             the guided player, and match makers
    loop                self-play, training and gate, again and again
"""
