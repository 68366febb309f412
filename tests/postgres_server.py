"""A PostgreSQL server for tests: a cluster of its own in a temporary folder, on a socket and a free port of this machine."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

USER, PASSWORD = "tower", "p@ss'word:/x"
UNPRIVILEGED = ("postgres", "nobody")  # PostgreSQL refuses to be run by root


@dataclass(frozen=True)
class Server:
    """A server that runs; every database is made from nothing."""

    programs: Path
    folder: Path
    port: int
    owner: str

    def psql(self, database, sql, *options):
        """What psql prints for a text on its input; it stops at the first error, and an error fails the test."""
        words = [self.programs / "psql", "-h", self.folder, "-p", self.port, "-U", USER, "-d", database, "-X", "-q", "-A", "-t"]
        command = [*map(str, words), "-v", "ON_ERROR_STOP=1", *options]
        done = subprocess.run(command, input=sql.encode(), capture_output=True, env={**os.environ, "PGCLIENTENCODING": "UTF8"})
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def new_database(self, name):
        self.psql("postgres", f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name};")
        return name

    def url(self, database, password=""):
        """By TCP, where a password is asked for."""
        from urllib.parse import quote

        return f"postgresql://{USER}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"


def find_programs() -> Path | None:
    """The folder of initdb; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "pg_ctl").exists() and (folder / "psql").exists()), None)


@contextmanager
def running_server(programs: Path):
    """A server from beginning to end; its folder is gone afterwards."""
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # a socket's path must be short
    server = Server(programs, folder, _free_port(), owner)
    try:
        if os.getuid() == 0:
            shutil.chown(folder, owner)
        _make(server)
        options = f"-k {folder} -p {server.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        _run(server, "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-w", "-t", "60", "-o", options, "start")
        try:
            yield server
        finally:
            _run(server, "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make(server):
    """A cluster that trusts its socket and asks for a password elsewhere."""
    secret = server.folder / "password"
    secret.write_text(PASSWORD + "\n")
    if os.getuid() == 0:
        shutil.chown(secret, server.owner)
    words = ["-D", server.folder / "data", "-U", USER, "-E", "UTF8", "--locale=C", f"--pwfile={secret}", "--no-sync"]
    _run(server, "initdb", *words, "--auth-local=trust", "--auth-host=scram-sha-256")


def _run(server, program, *words):
    as_owner = (
        {"user": server.owner, "group": pwd.getpwnam(server.owner).pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
    )
    command = [str(server.programs / program), *map(str, words)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command, check=True, cwd=server.folder, **quiet, **as_owner)


def _owner() -> str:
    if os.getuid() != 0:
        return getpass.getuser()
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in names)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
