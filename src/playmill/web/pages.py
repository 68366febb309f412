"""The built page: every address that is no file and no question to the API is a place in it."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"  # names of these have a hash of what they hold
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".png": "image/png"}


class Pages:
    """Serves the files in `static`, and index.html in place of any that isn't there."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope["method"], scope["path"].lstrip("/"))(scope, receive, send)

    def _answer(self, method: str, name: str) -> Response:
        if method not in ("GET", "HEAD"):
            return PlainTextResponse("playmill: expected GET or HEAD\n", 405)
        if name.startswith(("api/", "assets/")) and name not in self._files:
            return PlainTextResponse(f"playmill: there is no /{name:.80}\n", 404)
        path = self._files.get(name) or self._files.get("index.html")
        if path is None:
            return PlainTextResponse("playmill: the page is not built; run `make web` where the sources are\n", 500)
        kept = FOREVER if name.startswith("assets/") else "no-cache"
        return FileResponse(path, media_type=TYPES.get(path.suffix), headers={"Cache-Control": kept})
