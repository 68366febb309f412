"""How Diplomacy is played and learnt; the rules are in `playmill.games.diplomacy`. In the order of reading:

search      evaluation, candidate orders, Cartesian search and RM+
players     players of all kinds behind one call, the ladder, the engine process
selfplay    games as records, and what a kill leaves of them
neural      the network, its training, searches that it guides, the phases of a run
"""
