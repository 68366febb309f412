"""The base of all settings: the same checks for a YAML file, an option and a call from Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationInfo, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from playmill.core.errors import LARGEST, UnknownName
from playmill.core.table import NameTable

MAX_WEIGHTS = 1 << 29  # of a network: 2 GiB, four times that while it is trained
WEIGHT_BYTES, GIB = 4, 1 << 30


class Settings(BaseModel):
    """Frozen, without unknown keys; `true` and "1" are no numbers, nor are infinity and NaN, and counts have an end."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
    renamed: ClassVar[Mapping[str, str]] = {}  # keys of older files, and what they are called now

    @model_validator(mode="before")
    @classmethod
    def _no_old_name(cls, content: Any) -> Any:
        """Refuse an old name by the new one, which is seldom the nearest."""
        if isinstance(content, dict):
            for old in sorted(cls.renamed.keys() & content.keys()):
                raise ValueError(f"unknown key '{old}'; it is called {cls.renamed[old]} now")
        return content

    @classmethod
    def all_fields(cls) -> dict[str, FieldInfo]:
        """All keys: those of the model, and in one whose keys depend on what there is, those that are there now."""
        return dict(cls.model_fields)

    @field_validator("*", mode="before")
    @classmethod
    def _no_endless_count(cls, value: Any, info: ValidationInfo) -> Any:
        """Seeds are words of 64 bits and say so themselves; whatever else is counted must fit everywhere it goes."""
        if type(value) is int and info.field_name != "seed" and abs(value) > LARGEST:
            raise ValueError(f"expected at most {LARGEST:,}")
        return value


def fields_of(kind: type[BaseModel]) -> dict[str, FieldInfo]:
    """The keys of a model."""
    return kind.all_fields() if issubclass(kind, Settings) else dict(kind.model_fields)


@dataclass(frozen=True)
class OneOf:
    """Marks a setting that names a row of a table: `kind: Annotated[str, OneOf(KINDS)]`. The table may grow."""

    table: NameTable[Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._known, handler(source))

    def _known(self, name: str) -> str:
        try:
            self.table.find(name)
        except UnknownName as error:
            raise PydanticCustomError("unknown_name", "{line}", {"line": str(error)}) from None
        return name


def require_weights(count: int) -> None:
    """Refuse a network's size in terms of the memory that its weights would take."""
    if count > MAX_WEIGHTS:
        size = count * WEIGHT_BYTES / GIB
        raise ValueError(f"{count:,} weights would take {size:,.1f} GiB, four times that in training; at most {MAX_WEIGHTS:,}")
