"""Batched inference as a service: networks in one process, asked by many over a socket.

The server batches over all its clients (`queues.py`, `workers.py`, `server.py`); a client is an evaluator like any other
(`remote.py`). What travels between them is in `protocol.py` and, byte for byte, in docs/formats.md. ZeroMQ carries it.
"""
