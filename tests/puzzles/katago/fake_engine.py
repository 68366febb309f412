"""Speaks KataGo's analysis protocol without knowing anything about Go. Its first word says how it behaves.

A query's answer is made from its komi, so that a test can tell answers apart. Every start and every query is noted in a file.
"""

import json
import os
import signal
import sys
import time

MODE, NOTES = sys.argv[1:3]
WORDS = sys.argv[3:]


def note(text):
    with open(NOTES, "a") as file:
        file.write(text + "\n")


def earlier(text):
    if not os.path.exists(NOTES):
        return 0
    with open(NOTES) as file:
        return file.read().count(text + "\n")


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def answer(query):
    komi = query["komi"]
    if komi == 3.0:
        return {"error": "Illegal move 0: D4", "field": "moves", "id": query["id"]}
    info = {"move": "C3", "visits": 4, "prior": 0.5, "winrate": 0.25, "scoreLead": -komi, "pv": ["C3", "pass"], "order": 0}
    root = {"visits": query["maxVisits"], "winrate": 0.25, "scoreLead": -komi}
    owners = {"ownership": [0.5] * query["boardXSize"] ** 2} if query["includeOwnership"] else {}
    return {"id": query["id"], "isDuringSearch": False, "turnNumber": 0, "moveInfos": [info], "rootInfo": root, **owners}


def main():
    if WORDS[:1] == ["version"]:
        print("KataGo v1.2.3\nGit revision: none")
        return
    note("start")
    note(f"pid {os.getpid()}")
    if MODE == "refuses":
        print("terminate called after throwing an instance of 'IOError'", file=sys.stderr)
        print("  what():  Could not find key 'numAnalysisThreads' in config file", file=sys.stderr)
        sys.exit(1)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    if MODE == "stubborn":
        time.sleep(60)


def serve():
    waiting = []
    for line in sys.stdin:
        query = json.loads(line)
        if query.get("action") == "query_version":
            if MODE != "mute":
                say({"id": query["id"], "action": "query_version", "version": "1.2.3", "git_hash": "none"})
            continue
        if "action" in query:
            note(query["action"])
            continue
        note(f"query {query['komi']}")
        if MODE == "crashes" or (MODE == "crashes_once" and earlier("start") == 1 and query["komi"] == 2.0):
            print("Error: out of luck", file=sys.stderr)
            os._exit(3)
        if MODE in ("hangs", "mute") or (MODE == "hangs_once" and earlier("start") == 1):
            continue
        if MODE == "slow":
            time.sleep(0.05)
        waiting.append(query)
        if MODE != "reversed" or len(waiting) == 4:
            for one in reversed(waiting):
                say({"warning": "unused field", "field": "x", "id": one["id"]})
                say(answer(one))
            waiting.clear()


main()
