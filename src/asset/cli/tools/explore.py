"""`asset explore`: a model in the browser."""

from __future__ import annotations

import argparse
import secrets
import socket
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

from asset.cli import output
from asset.cli.model_words import add_model, spec_of
from asset.errors import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_DESCRIPTION = """\
Serves a page on this machine only: the current state, the transitions that can
be fired and what each would change; back, forward, to any earlier state; random
walks; what lies a few steps ahead, as a graph; checks, with live progress and a
stop button, whose counterexamples can be followed and left at any point."""

_EXAMPLES = """\
examples:
  asset explore ring.py -p n=3
  asset explore ring.py --open              and opens the browser
It needs two more packages: pip install 'asset-mc[explore]'. Ctrl-C ends it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    add_model(parser)
    parser.add_argument("--port", type=int, default=0, metavar="N", help="the port to serve on (default: any)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(words: argparse.Namespace) -> int:
    """Serves until Ctrl-C."""
    try:
        import starlette  # noqa: F401 (whether it is there)
        import uvicorn  # noqa: F401
    except ImportError as missing:
        message = f"asset explore needs {missing.name}, which is not installed"
        raise UsageError.of(message, remedy="pip install 'asset-mc[explore]'") from None
    from asset.cli.explorer.app import ExplorerRequests, application
    from asset.cli.explorer.session import Session

    session = Session.of(spec_of(words))
    with _listening(words.port) as listener:
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(24)
        address = f"http://127.0.0.1:{port}/?token={token}"
        output.print_text(f"{session.about()['title']}: {address}")
        if words.open:
            webbrowser.open(address)
        explorer = ExplorerRequests(session)
        try:
            _serve(application(explorer, port, token), listener)
        finally:
            explorer.stop({})
    return 0


def _listening(port: int) -> socket.socket:
    """A socket that only this machine can reach."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()  # so that the page can be opened as soon as the address is printed
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError.of(
            f"cannot serve on port {port}: {reason}", remedy="leave --port out for any free one"
        ) from None
    return listener


def _serve(app: ASGIApp, listener: socket.socket) -> None:
    import uvicorn

    # A request that does not end is cancelled after a second, which is no error to tell of.
    config = uvicorn.Config(app, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=1)
    with suppress(KeyboardInterrupt):  # it has ended in order, and passes it on
        uvicorn.Server(config).run(sockets=[listener])
