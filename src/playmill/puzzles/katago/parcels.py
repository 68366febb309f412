"""What `install` fetches: two published packages, the files wanted of them, and their checksums."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError, one_line
from playmill.core.files import atomic_writer, temporary_folder

BLOCK = 1 << 20
DOWNLOAD_S = 1800.0


@dataclass(frozen=True)
class Parcel:
    """A file of a package: what to ask pip for, the checksum of what it brings, the file inside, and its own checksum."""

    requirement: str
    sha256: str
    member: str
    member_sha256: str


ENGINE = Parcel(
    "katrain==1.20.0",
    "489caa966fa395a6ad459239641a927e4a2057963370e450109fe77120de662f",
    "katrain/KataGo/katago",
    "f9029dcaa28608e9efa4e1d404940e651bd067bdd11528222e068f3b34450fd7",
)
NETWORK = Parcel(
    "katrain==1.7.6",
    "40bd18051fc79fa124647fec0b2f4d8cd888d09b6377d49888e7864784b98316",
    "katrain/models/g170e-b15c192-s1672170752-d466197061.bin.gz",
    "1579a64e6190c3a8d73eeb96feb4dee1879f9e5e114279b15d6c56dbab3b0f78",
)


def fetch(parcel: Parcel, target: Path) -> None:
    """Put the parcel's file at `target`, whole and checked."""
    with temporary_folder("playmill-katago-") as folder:
        package = _download(parcel, folder)
        require_hash(package, parcel.sha256)
        with zipfile.ZipFile(package) as archive, archive.open(parcel.member) as source, atomic_writer(target) as file:
            while block := source.read(BLOCK):
                file.write(block)
    require_hash(target, parcel.member_sha256)


def is_whole(path: Path, parcel: Parcel) -> bool:
    """Whether the parcel's file is there as it should be."""
    return path.is_file() and file_hash(path) == parcel.member_sha256


def _download(parcel: Parcel, folder: Path) -> Path:
    """Have pip fetch the package, without what it depends on: none of that is wanted."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    try:
        done = subprocess.run(
            [*command, "--dest", folder, parcel.requirement],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=DOWNLOAD_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise PlaymillError(f"katago: pip did not bring {parcel.requirement} within {DOWNLOAD_S:.0f} s") from None
    found = sorted(folder.glob("*.whl"))
    if done.returncode or not found:
        words = [line for line in done.stderr.splitlines() if line.strip()] or ["it said nothing"]
        raise PlaymillError(f"katago: pip could not download {parcel.requirement}: {one_line(words[-1])}")
    return found[0]


def require_hash(path: Path, expected: str) -> None:
    """Refuse a file that is not the one that was meant."""
    found = file_hash(path)
    if found != expected:
        raise PlaymillError(f"katago: {path.name}: expected SHA-256 {expected[:16]}..., got {found[:16]}...; try again later")


def file_hash(path: Path) -> str:
    """A file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
