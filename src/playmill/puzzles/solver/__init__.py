"""The local solver: whether marked chains can be killed or saved inside a closed region, with a proof that others can check.

The rules of the local game, who wins a ko and what is taken for granted are in `docs/howto/solve.md`. From a problem
(`problem.py`) comes the ground it is fought on (`ground.py`), which a proof-number search (`dfpn.py`) knows as sets of bits
(`moves.py`, `eyes.py`). What it finds is gathered into a certificate (`certificate.py`) and written as a file
(`proof_file.py`). `checker.py` reads such files and shares nothing with all this.
"""
