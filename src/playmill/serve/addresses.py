"""Where servers listen: `unix:///path` on one machine, `tcp://host:port` on any."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
from pathlib import Path

from playmill.core.errors import UsageError

UNIX, TCP = "unix://", "tcp://"
LONGEST_PATH = 107  # bytes, as the system has it
LARGEST_PORT = 65535
CONNECT_S = 0.5


def zmq_address(address: str) -> str:
    """The address as ZeroMQ writes it; refused if it is none."""
    if address.startswith(UNIX):
        path = address.removeprefix(UNIX)
        if not path.startswith("/") or len(os.fsencode(path)) > LONGEST_PATH:
            raise UsageError(f"{address}: expected unix:///path with at most {LONGEST_PATH} bytes of path")
        return f"ipc://{path}"
    if address.startswith(TCP):
        host_and_port(address)
        return address
    raise UsageError(f"{address}: expected an address such as unix:///tmp/mill.sock or tcp://127.0.0.1:7000")


def host_and_port(address: str) -> tuple[str, int]:
    """Of `tcp://host:port`, or `host:port`."""
    host, colon, port = address.removeprefix(TCP).rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) <= LARGEST_PORT:
        raise UsageError(f"{address}: expected a host and a port from 1 to {LARGEST_PORT}, such as 127.0.0.1:7000")
    return host, int(port)


def is_on_this_machine(address: str) -> bool:
    """Whether nobody from elsewhere can reach the address."""
    if address.startswith(UNIX):
        return True
    host = host_and_port(address)[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def claim_path(address: str) -> None:
    """Refuse a unix address that another server listens on, or whose path is a file: binding would take it away."""
    path = Path(address.removeprefix(UNIX))
    if not path.parent.is_dir():
        raise UsageError(f"{address}: there is no folder {path.parent}")
    if not os.path.lexists(path):
        return
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise UsageError(f"{address}: {path} is there and is no socket; choose another path")
    if _is_listened_on(path):
        raise in_use(address)


def in_use(address: str) -> UsageError:
    return UsageError(
        f"{address}: in use by another server; end it (`playmill serve-control {address} drain`) or choose another"
    )


def _is_listened_on(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(CONNECT_S)
        try:
            probe.connect(os.fspath(path))
        except OSError:
            return False
        return True
