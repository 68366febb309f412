"""Networks: what they look like, the files they live in, and the evaluators that ask them.

The modules import PyTorch or ONNX Runtime, so they are imported where they are used and this file imports nothing:

    from playmill.nets.evaluators import open_evaluator
    evaluator = open_evaluator("runs/1/models/best.pt")
    evaluator.evaluate(features, logits, values)
"""
