"""How far an export has come, kept beside what it wrote: the same command goes on from there and tells nothing twice."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playmill.core.errors import PlaymillError
from playmill.core.files import atomic_write
from playmill.runs.folder import Manifest

FILE = "cursor.json"


class Cursor(BaseModel):
    """`cursor.json`."""

    model_config = ConfigDict(extra="forbid")

    format: str = "playmill.export"
    version: int = 1
    run_id: str = Field(description="Whose events they are.")
    config_hash: str = Field(description="By which settings.")
    created_ms: int = Field(description="When that run was begun: two runs may share their name.")
    read_bytes: int = Field(0, ge=0, description="Of logs/metrics.ndjson, up to the end of the last event that was told.")
    rows: int = Field(0, ge=0, description="Events that had something to tell.")
    written_bytes: int = Field(0, ge=0, description="Of the file that was written; what is behind it does not count.")

    def save(self, folder: Path) -> None:
        atomic_write(folder / FILE, self.model_dump_json(indent=1) + "\n")


def open_cursor(folder: Path, manifest: Manifest) -> Cursor:
    """Where the export in the folder is, at the beginning if it is new; refused if it is another run's."""
    new = Cursor(run_id=manifest.run_id, config_hash=manifest.settings_hash, created_ms=manifest.created_ms)
    path = folder / FILE
    if not path.exists():
        return new
    try:
        found = Cursor.model_validate_json(path.read_bytes())
    except ValidationError:
        raise PlaymillError(f"{path}: damaged; remove the folder to export anew, or choose another with --out") from None
    if (found.run_id, found.config_hash, found.created_ms) != (new.run_id, new.config_hash, new.created_ms):
        other = f"the export there is of the run {found.run_id}, begun at another time or with other settings"
        raise PlaymillError(f"{folder}: {other}; choose another place with --out")
    return found
