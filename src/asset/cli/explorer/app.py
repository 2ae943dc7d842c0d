"""The server: one page and its requests. It answers on this machine only, and only requests that have the token."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from string import Template
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from asset.checks import CheckOptions
from asset.cli.explorer.answering_thread import within
from asset.cli.explorer.checking import RunningCheck
from asset.cli.explorer.neighbourhood import around
from asset.cli.explorer.session import CommandNumbers, Session
from asset.errors import AssetError, UsageError
from asset.report.page_parts import part
from asset.space.svg import svg

LARGEST = 200_000
"""Bytes of a request."""

PATIENCE = 20.0
"""Seconds that an answer may take."""

_PAGE = ("page.html", "page.css", "page.js")

Asked = Mapping[str, Any]
Reply = dict[str, Any]


class ExplorerRequests:
    """What the page can ask for. The requests take turns; a check runs at the same time."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.checking: RunningCheck | None = None
        self.turn = asyncio.Lock()

    def model(self, asked: Asked) -> Reply:
        """Loads the model again, with other parameters if some are given."""
        given = asked.get("parameters")
        if given is not None:
            if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
                raise UsageError.of("parameters are texts by name")
            self.session = Session.of(replace(self.session.spec, parameters=given))
        return self.session.about()

    def _run(self, asked: Asked) -> CommandNumbers:
        return self.session.run(_numbers(asked, "run"), self._start(asked))

    def _start(self, asked: Asked) -> int:
        """Initial state 0, unless the page says which."""
        last = len(self.session.program.initial_states) - 1
        return _number(asked, "start", 0, last) if "start" in asked else 0

    def state(self, asked: Asked) -> Reply:
        run = self._run(asked)
        at = min(_number(asked, "at", 0, len(run)), len(run))
        return self.session.shown(run, at)

    def run(self, asked: Asked) -> Reply:
        return self.session.drawn(self._run(asked))

    def disabled(self, asked: Asked) -> Reply:
        return self.session.why_not(self._run(asked))

    def test(self, asked: Asked) -> Reply:
        return self.session.unit_test(self._run(asked), self._start(asked))

    def random(self, asked: Asked) -> Reply:
        run = self._run(asked)
        return {"run": list(self.session.random(run, _number(asked, "steps", 1, 1000)))}

    def neighbourhood(self, asked: Asked) -> Reply:
        state = self.session.state(self._run(asked))
        found = around(self.session.executable, state, _number(asked, "steps", 1, 4))
        return {"svg": svg(found.graph), "ways": [list(way) for way in found.ways]}

    def check(self, asked: Asked) -> Reply:
        """Begins a check; the one before it ends."""
        if self.checking is not None:
            self.checking.stop()
            self.checking.wait()
        stubborn = asked.get("stubborn", "off")
        if not isinstance(stubborn, str):
            raise UsageError.of("stubborn is off or hand")
        options = CheckOptions(engine=self.session.engine, stubborn=stubborn)
        self.checking = RunningCheck(self.session.subject, self.session.program, options)
        return self.checking.to_dict()

    def progress(self, asked: Asked) -> Reply:
        return self.checking.to_dict() if self.checking else {"running": False, "verdict": None, "error": ""}

    def stop(self, asked: Asked) -> Reply:
        if self.checking is not None:
            self.checking.stop()
            self.checking.wait()
        return self.progress(asked)


def _numbers(asked: Asked, name: str) -> list[int]:
    found = asked.get(name)
    if not isinstance(found, list) or not all(type(each) is int for each in found):
        raise UsageError.of(f"{name} is a list of numbers")
    return found


def _number(asked: Asked, name: str, least: int, most: int) -> int:
    found = asked.get(name)
    if type(found) is not int or not least <= found <= most:
        raise UsageError.of(f"{name} is a number from {least} to {most}")
    return found


# --- over HTTP --------------------------------------------------------------------------------------------------


def application(explorer: ExplorerRequests, port: int, token: str) -> ASGIApp:
    """The ASGI application; requests to another host, or without the token, are refused."""
    requests = {
        "model": explorer.model,
        "run": explorer.run,
        "state": explorer.state,
        "disabled": explorer.disabled,
        "test": explorer.test,
        "random": explorer.random,
        "neighbourhood": explorer.neighbourhood,
        "check": explorer.check,
        "progress": explorer.progress,
        "stop": explorer.stop,
    }
    routes = [Route("/", _page)]
    routes += [Route(f"/api/{name}", _endpoint(explorer, does), methods=["POST"]) for name, does in requests.items()]
    return _Guard(Starlette(routes=routes), port, token)


class _Guard:
    """Lets a request through if it is addressed to this machine by name, comes from our own page and has the token.

    The name matters because a page elsewhere can have its own name lead here (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = "not for you" if scope["type"] != "http" else self._refusal(Request(scope))
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, request: Request) -> str:
        """Why the request is refused; empty if it is not."""
        if request.headers.get("host", "") not in self._hosts:
            return "this server answers on 127.0.0.1 only"
        origin = request.headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return "requests come from the explorer's own page"
        given = request.headers.get("x-asset-token") or request.query_params.get("token") or ""
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return "the address must have the token that `asset explore` printed"
        return ""


async def _page(request: Request) -> Response:
    """The page, which may run its own script, ask this server, and nothing else."""
    nonce = secrets.token_urlsafe(16)
    own = {name: files("asset.cli.explorer").joinpath(name).read_text(encoding="utf-8") for name in _PAGE}
    text = Template(own["page.html"]).substitute(
        nonce=nonce,
        style=part("look.css") + own["page.css"],
        script=part("parts.js") + own["page.js"],
    )
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return HTMLResponse(text, headers={**headers, "X-Content-Type-Options": "nosniff"})


def _endpoint(explorer: ExplorerRequests, does: Callable[[Asked], Reply]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return JSONResponse({"error": "the request is not a JSON object of reasonable size"}, 400)
        async with explorer.turn:
            return await _answer(lambda: does(body))

    return endpoint


async def _answer(does: Callable[[], Reply]) -> Response:
    """What the model does wrong is an answer: the page stays as it is, and the server goes on."""
    try:
        return JSONResponse(await within(PATIENCE, does))
    except TimeoutError:
        return JSONResponse({"error": f"the model did not answer within {PATIENCE:g} s, and was given up"}, 422)
    except AssetError as error:
        return JSONResponse({"error": str(error)}, 422)
    except Exception as error:
        return JSONResponse({"error": f"the model cannot be run: {type(error).__name__}: {error}"}, 422)


async def _body(request: Request) -> Asked | None:
    """The request as a JSON object; None if it is none."""
    if request.headers.get("content-type") != "application/json":
        return None
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > LARGEST:
            return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
