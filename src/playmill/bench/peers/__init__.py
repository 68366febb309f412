"""The peers: other people's simulators and searches, each a stand-alone script that runs under an interpreter of its own.

A script imports its library and never playmill. It reads requests from stdin and answers each with one line of JSON:

    run SECONDS  ->  {"count": 18211, "seconds": 0.4003, "game": "connect_four", "version": "2.0.2"}

`count` is of games or simulations. It does at least one batch, and reads the clock in between; so rounds of ours and of theirs
can take turns in one run.
"""
