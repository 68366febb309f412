"""`playmill serve`, `serve-control`, `serve-keys`: networks that answer for many processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from playmill.cli.options import AsJson, Force
from playmill.cli.output import print_json
from playmill.core.errors import MAX_WORKERS, UsageError
from playmill.core.executor import count_threads
from playmill.core.extras import require_extra

if TYPE_CHECKING:
    from playmill.serve.keys import KeyFile
    from playmill.serve.models import ModelTable
    from playmill.serve.settings import ServeSettings

HASH_DIGITS = 8
ServerAddress = Annotated[str, typer.Argument(help="Such as unix:///tmp/mill.sock or tcp://host:7000.", metavar="ADDRESS")]
ClientKey = Annotated[Path | None, typer.Option("--key", help="The client's file of `playmill serve-keys`.")]


def register(app: typer.Typer) -> None:
    app.command()(serve)
    app.command("serve-control")(serve_control)
    app.command("serve-keys")(serve_keys)


def serve(
    bind: Annotated[list[str], typer.Option(help="Where to listen: unix:///path or tcp://host:port; may be repeated.")],
    model: Annotated[
        list[str] | None,
        typer.Option(help="A network and its name, such as best=runs/x/models/best.pt or NAME=dummy[:VALUE]; may be repeated."),
    ] = None,
    game: Annotated[str | None, typer.Option(help="module:GAME of networks whose game is not registered.")] = None,
    device: Annotated[str, typer.Option(help="Where networks run: cpu or cuda.")] = "cpu",
    backend: Annotated[str, typer.Option(help="What runs the networks: auto, ort_int8, ort, torch, torch_bf16.")] = "auto",
    threads: Annotated[
        int | None, typer.Option(help="Threads that answer batches. [default: all cores; 2 with cuda]", min=1, max=MAX_WORKERS)
    ] = None,
    max_batch: Annotated[int, typer.Option(help="Rows of a full batch.", min=1, max=1 << 20)] = 1024,
    max_wait_us: Annotated[int, typer.Option(help="How long a row waits for others.", min=0, max=10_000_000)] = 500,
    metrics: Annotated[str | None, typer.Option(help="HOST:PORT of a page for Prometheus.")] = None,
    keys: Annotated[
        Path | None, typer.Option(help="The server's file of `playmill serve-keys`; tcp is encrypted then.")
    ] = None,
    in_the_clear: Annotated[
        bool, typer.Option("--in-the-clear", help="Let other machines in without keys, for anybody to read and to ask.")
    ] = False,
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="A file that is not there yet is served from the reload that finds it.")
    ] = False,
    owner: Annotated[
        int | None,
        typer.Option(help="For programs: end when this parent process is gone, and load what it names.", metavar="PID"),
    ] = None,
) -> None:
    """Answer for networks until SIGTERM, which lets it finish what it has.

    Rows of all clients are answered in common batches. Clients are `--infer ADDRESS` of run, selfplay, gate and others.
    """
    require_extra("nets", "a server")
    require_extra("serve", "a server")
    from playmill.core.documents import fit
    from playmill.serve.metrics import MetricsPage, TallyCollector
    from playmill.serve.server import InferenceServer, start_models
    from playmill.serve.settings import ServeSettings

    if not model and owner is None:
        raise UsageError("--model: expected at least one, such as --model best=runs/x/models/best.pt")
    key_file = _check_doors(bind, keys, in_the_clear)
    settings = fit(
        ServeSettings, "serve",
        {"device": device, "backend": backend, "threads": threads or (2 if device == "cuda" else count_threads(None)),
         "max_batch": max_batch, "max_wait_us": max_wait_us},
    )  # fmt: skip
    table = _table(model or [], game, settings)
    start_models(table, allow_missing)
    server = InferenceServer(
        table, settings, bind, key_file, owner is not None, lambda: owner is not None and os.getppid() != owner
    )
    page = MetricsPage(metrics, TallyCollector(server.tally)) if metrics is not None else None
    signal.signal(signal.SIGTERM, lambda *_: server.drain())
    typer.echo(f"serving {_described(table)} on {', '.join(bind)}; SIGTERM or Ctrl-C ends it")
    server.run()
    if page is not None:
        page.close()


def _check_doors(addresses: list[str], keys: Path | None, in_the_clear: bool) -> KeyFile | None:
    """The server's keys, if it has any; an address that others can reach needs them, or a word that it is meant so."""
    from playmill.serve.addresses import is_on_this_machine, zmq_address
    from playmill.serve.keys import read_keys

    for address in addresses:
        zmq_address(address)
        if keys is None and not in_the_clear and not is_on_this_machine(address):
            raise UsageError(
                f"--bind {address}: other machines can reach it and there are no keys; make some (`playmill serve-keys OUT`)"
                " and give --keys OUT/server.key, or say --in-the-clear"
            )
    return None if keys is None else read_keys(keys, "server")


def _table(models: list[str], game: str | None, settings: ServeSettings) -> ModelTable:
    from playmill.nets.evaluators import check_device
    from playmill.packs.checkpoints import read_network
    from playmill.serve.models import Loading, ModelSource, ModelTable

    check_device(settings.device)
    table = ModelTable(Loading(lambda path: read_network(path, game), settings.backend, settings.device, settings.max_batch))
    sources = [ModelSource.parse(text) for text in models]
    for source in sources:
        if [other.name for other in sources].count(source.name) > 1:
            raise UsageError(f"--model: the name {source.name} is given twice")
        table.add(source)
    return table


def _described(table: ModelTable) -> str:
    cards = [model.card for model in table.models]
    told = (f"{card.name} ({card.game}, {card.backend}, {card.weights_sha256[:HASH_DIGITS]})" for card in cards if card.game)
    others = (f"{card.name} ({'dummy' if card.generation else 'no network yet'})" for card in cards if not card.game)
    return ", ".join([*told, *others]) or "no network yet"


# ------------------------------------------------------------------ asking a server


def serve_control(
    address: ServerAddress,
    word: Annotated[Literal["status", "reload", "drain"], typer.Argument(help="status, reload or drain.", metavar="WORD")],
    model: Annotated[list[str] | None, typer.Option(help="reload: only this model; may be repeated. [default: all]")] = None,
    key: ClientKey = None,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for the answer.", min=0.1, max=3600)] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Ask a server for its status, to look at its files again, or to finish what it has and end."""
    require_extra("serve", "a server's control", ["zmq", "isal"])
    from playmill.serve.control import ask, load_key

    if model and word != "reload":
        raise UsageError(f"--model: only reload takes it, not {word}")
    fields: dict[str, Any] = {"models": model} if model else {}
    status = ask(address, word, load_key(None if key is None else str(key)), timeout, **fields)
    if as_json:
        print_json(status)
        return
    if word == "reload":
        typer.echo(f"{address}: {', '.join(status['swapped']) or 'nothing'} had changed")
    for line in status_lines(address, status):
        typer.echo(line)


def status_lines(address: str, status: dict[str, Any]) -> list[str]:
    """A status for people."""
    state = "draining" if status["draining"] else "serving"
    head = f"{address}: {state} on {status['device']} for {status['uptime_s']:,.0f} s, {status['clients']} clients"
    counts = f"{status['evaluations']:,} evaluations in {status['batches']:,} batches, {status['queue_rows']:,} rows waiting"
    batch, latency = status["median_batch"], status["latency_us"]
    figures = [] if batch is None else [f"  median batch {batch} of {status['max_batch']}{_latency(latency)}"]
    return [f"{head}; {counts}", *figures, *map(_model_line, status["models"])]


def _latency(latency: dict[str, float | None]) -> str:
    if latency["p50"] is None or latency["p99"] is None:
        return ""
    return f"; answered in {latency['p50'] / 1000:,.1f} ms, 99 % in {latency['p99'] / 1000:,.1f} ms"


def _model_line(card: dict[str, Any]) -> str:
    what = f"{card['game']}, {card['backend']}, {card['weights_sha256'][:HASH_DIGITS]}" if card["game"] else card["backend"]
    network = f"generation {card['generation']}: {what}" if card["generation"] else "no network yet"
    return f"  {card['name']}: {network}"


def serve_keys(
    out: Annotated[Path, typer.Argument(help="The folder for server.key and client.key; made if missing.", metavar="OUT")],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make keys for servers that other machines can reach: one file for the server, one for its clients."""
    require_extra("serve", "keys", ["zmq"])
    from playmill.core.files import claim_output
    from playmill.serve.keys import CLIENT_FILE, SERVER_FILE, make_keys

    out.mkdir(parents=True, exist_ok=True)
    for name in (SERVER_FILE, CLIENT_FILE):
        claim_output(out / name, force)
    server, client = make_keys(out)
    if as_json:
        print_json({"server": server, "client": client})
    else:
        typer.echo(f"{server} for `playmill serve --keys`, {client} for those who ask it; keep both secret")
