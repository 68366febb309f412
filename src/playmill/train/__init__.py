"""Training: a candidate learns from replay, starting at another network.

The modules import PyTorch, so they are imported where they are used and this file imports nothing:

    from playmill.train.plan import TrainJob
    from playmill.train.trainer import train
"""
