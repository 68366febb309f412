"""Who may ask: whoever has the token, from this machine, through the name that was printed. All else is refused in a line.

The address that is printed has the token; it is exchanged for a cookie at once, so that it doesn't stay in the address bar.
A page of somebody else's can't use that cookie: it is not sent from other sites (SameSite), and a page of another port here,
which counts as the same site, is told apart by what the browser says of where the request comes from. A name that somebody
points at this machine (DNS rebinding) is not the one that was printed.
"""

from __future__ import annotations

import secrets
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BEARER = "Bearer "
CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
OWN = ("same-origin", "none")  # Sec-Fetch-Site of our page, and of an address that somebody typed


class Guard:
    """Stands before an app that is reached at 127.0.0.1:`port`."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token, self._port = app, token, port
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie = f"playmill_{port}"  # cookies don't tell ports apart

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """What is answered in the app's place, if anything: a refusal, or a cookie for the token in the address."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._hosts:
            return _line(421, f"expected the host 127.0.0.1:{self._port}, got '{host:.80}'")
        if not self._is_own(headers, scope):
            return _line(403, "asked from another page; only the page that playmill serves may do that")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), "")
        if scope["method"] == "GET" and not scope["path"].startswith("/api") and self._is_token(given):
            return self._exchange(scope["path"], [pair for pair in query if pair[0] != "token"])
        if self._is_token(self._kept(headers)):
            return None
        return _line(401, "no token, or an old one; open the address that playmill printed when it began")

    def _is_own(self, headers: Headers, scope: Scope) -> bool:
        """Whether the browser, if it is one, says that our own page asks. A link from elsewhere may lead to a page only."""
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return False
        is_page = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
        return is_page or headers.get("sec-fetch-site", "none") in OWN

    def _kept(self, headers: Headers) -> str:
        """The token that comes along in a header or a cookie."""
        bearer = headers.get("authorization", "")
        if bearer.startswith(BEARER):
            return bearer.removeprefix(BEARER)
        return cookie_parser(headers.get("cookie", "")).get(self._cookie, "")  # lenient: other servers here set some, too

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())

    def _exchange(self, path: str, query: list[tuple[str, str]]) -> Response:
        """Send the browser to the same place without the token in the address."""
        place = "/" + path.lstrip("/\\") + ("?" + urlencode(query) if query else "")  # never the name of another host
        response = RedirectResponse(place, 303)
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path="/")
        response.headers["Cache-Control"] = "no-store"
        return response


def _line(status: int, text: str) -> Response:
    return PlainTextResponse(f"playmill: {text}\n", status, {"Cache-Control": "no-store"})


def _with_headers(send: Send) -> Send:
    async def send_all(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_all
