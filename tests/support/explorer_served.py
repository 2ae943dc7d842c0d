"""An explorer that answers requests, for its tests."""

from __future__ import annotations

import json
import threading
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import uvicorn

from asset.cli.explorer.app import ExplorerRequests, application
from asset.cli.explorer.session import Session
from asset.cli.tools.explore import _listening
from asset.languages import ModelSpec

LAMP = """
from asset import Model, must_progress, transition, when

class Lamp(Model):
    def state(self):
        self.on = False
        self.broken = False

    @transition
    def switch(self):
        when(not self.broken)
        self.on = not self.on

    @transition
    def drop(self):
        when(self.on and not self.broken)
        self.broken = True

    @transition
    def flicker(self):
        when(self.broken)
        self.on = not self.on

    @must_progress
    def whole(self):
        return not self.broken
"""


class Served:
    """An explorer that answers on this machine, in a thread."""

    token = "sesame"

    def __init__(self, model: str, parameters: dict[str, str]) -> None:
        self.listener = _listening(0)
        self.port: int = self.listener.getsockname()[1]
        self.explorer = ExplorerRequests(Session.of(ModelSpec(model, parameters)))
        app = application(self.explorer, self.port, self.token)
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def ask(self, what: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
        given = {"X-Asset-Token": self.token, "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}/api/{what}", data, given, method="POST")
        try:
            with urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text.startswith(b"{") else {"error": text.decode()}

    def close(self) -> None:
        self.explorer.stop({})
        self.server.should_exit = True
        self.thread.join(60)
        self.listener.close()
