"""Keys for servers that others can reach: CURVE, ZeroMQ's own encryption, in which either side proves who it is.

`playmill serve-keys OUT` writes two files. The server's has its own secret and the client's public key; the client's has its
own secret and the server's public key. Whoever lacks the client's file gets no answer at all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import zmq
from pydantic import BaseModel, ConfigDict, Field
from zmq.utils import z85

from playmill.core.documents import fit, parse_object, read_text
from playmill.core.errors import UsageError
from playmill.core.files import atomic_write

SERVER_FILE, CLIENT_FILE = "server.key", "client.key"
PRIVATE = 0o600
Z85_KEY = r"^[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}$"


class KeyFile(BaseModel):
    """One side's keys, each 40 characters of Z85."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    playmill_key: str = Field(description="server or client: whose file it is.")
    public: str = Field(pattern=Z85_KEY)
    secret: str = Field(pattern=Z85_KEY)
    other_public: str = Field(pattern=Z85_KEY, description="The other side's.")


def make_keys(folder: Path) -> tuple[Path, Path]:
    """Write new keys for a server and its clients, readable by their owner alone; return the two files."""
    server, client = zmq.curve_keypair(), zmq.curve_keypair()
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / SERVER_FILE, folder / CLIENT_FILE
    for path, role, own, other in zip(paths, ("server", "client"), (server, client), (client, server), strict=True):
        content = KeyFile(playmill_key=role, public=own[0].decode(), secret=own[1].decode(), other_public=other[0].decode())
        mask = os.umask(0o077)
        try:
            atomic_write(path, content.model_dump_json(indent=2) + "\n")
        finally:
            os.umask(mask)
        path.chmod(PRIVATE)
    return paths


def read_keys(path: Path, role: str) -> KeyFile:
    """The keys in a file, which must be of that side."""
    keys = fit(KeyFile, str(path), parse_object(read_text(path), str(path)))
    if keys.playmill_key != role:
        raise UsageError(f"{path}: expected the {role}'s keys, got the {keys.playmill_key}'s; take {role}.key")
    return keys


def secure_client(socket: zmq.Socket[Any], keys: KeyFile) -> None:
    """Have the socket talk to that server alone, encrypted."""
    socket.curve_publickey, socket.curve_secretkey = keys.public.encode(), keys.secret.encode()
    socket.curve_serverkey = keys.other_public.encode()


def secure_server(socket: zmq.Socket[Any], keys: KeyFile) -> None:
    """Have the socket talk to clients alone that `Doorkeeper` lets in."""
    socket.curve_secretkey, socket.curve_publickey = keys.secret.encode(), keys.public.encode()
    socket.curve_server = True
    socket.zap_domain = b"playmill"


class Doorkeeper:
    """Says who may come in: ZeroMQ asks for each connection to a secured socket, over a socket of its own (ZAP, RFC 27)."""

    def __init__(self, context: zmq.Context[Any], keys: KeyFile) -> None:
        self._allowed = z85.decode(keys.other_public.encode())
        self.socket = context.socket(zmq.REP)
        self.socket.bind("inproc://zeromq.zap.01")
        self.turned_away = 0

    def answer(self) -> None:
        """Answer one question."""
        version, number, _domain, _address, _identity, mechanism, *credentials = self.socket.recv_multipart()
        is_known = mechanism == b"CURVE" and credentials == [self._allowed]
        self.turned_away += not is_known
        code, text = (b"200", b"OK") if is_known else (b"400", b"unknown key")
        self.socket.send_multipart([version, number, code, text, b"", b""])
