"""Settings with a section for each kind of something: which kinds there are is a table's, and the table may grow."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from pydantic import ConfigDict, Field, create_model, model_validator
from pydantic.fields import FieldInfo

from playmill.core.settings import Settings
from playmill.core.table import NameTable


class KindSettings(Settings):
    """Settings with a field `kind` that names a row of `kinds`; a row may have a section of its own, by its name.

    Rows say `about` themselves, a sentence, and have the defaults of their section as `settings`, or None where they have no
    section. The section of the kind that is chosen is always there, those of others only where somebody wrote them.
    """

    model_config = ConfigDict(extra="allow")  # what is allowed are those sections
    kinds: ClassVar[NameTable[Any]]

    @classmethod
    def all_fields(cls) -> dict[str, FieldInfo]:
        return {**cls.model_fields, **cls._sections().model_fields}

    def section(self) -> Any:
        """The section of the kind that is chosen."""
        return getattr(self, self.kind)  # type: ignore[attr-defined]

    @model_validator(mode="before")
    @classmethod
    def _read_sections(cls, content: Any) -> Any:
        """Make the sections what their models say."""
        if not isinstance(content, dict):
            return content
        model = cls._sections()
        found = model.model_validate({name: value for name, value in content.items() if name not in cls.model_fields})
        there = [name for name in model.model_fields if name in content or name == content.get("kind")]
        return {**content, **{name: getattr(found, name) for name in there}}

    @classmethod
    def sections_of_others(cls, game: str) -> list[str]:
        """The kinds with a section that are for other games than this one."""
        return [name for name, kind in cls.kinds.items() if kind.settings is not None and kind.games and game not in kind.games]

    @classmethod
    def _sections(cls) -> type[Settings]:
        """A model of the sections that there are so far."""
        return _sections_of(
            *((name, kind.about, kind.settings) for name, kind in cls.kinds.items() if kind.settings is not None)
        )


@functools.cache
def _sections_of(*rows: tuple[str, str, Settings]) -> type[Settings]:
    fields: dict[str, Any] = {name: (type(default), Field(default, description=about)) for name, about, default in rows}
    return create_model("Sections", __base__=Settings, **fields)
