"""A client process that keeps a server busy: rows go out again as soon as they are answered, for some seconds."""

import sys
import time

from playmill.games.registry import get_game
from playmill.serve.endpoint import Wanted
from playmill.serve.remote import open_remote
from playmill.serve.settings import InferSettings


def main(address: str, model: str, game: str, rows: int, buffers: int, seconds: float) -> None:
    client = open_remote(InferSettings(addresses=address), Wanted(name=model))
    ring = [client.open_buffer(get_game(game), rows) for _ in range(buffers)]
    for buffer in ring:
        client.submit(buffer, rows)
    print("ready", flush=True)
    sys.stdin.readline()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for buffer in ring:
            client.collect(buffer)
            client.submit(buffer, rows)
    for buffer in ring:
        client.collect(buffer)
    print(client.tally.facts()["rows"], flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(*words[:3], *map(int, words[3:5]), float(words[5]))
