"""Runs for other people's tools: their events as scalars, in the files of Weights & Biases and TensorBoard, or as rows."""
