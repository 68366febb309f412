"""The dashboard asks for what is exported, and a real Prometheus that scrapes a live run and a live server can answer it."""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
import yaml
import zmq

from deploy.files import DEPLOY, METRIC, dashboard, queries
from playmill.pipeline.metering import RunTally
from playmill.pipeline.metrics import RunCollector
from playmill.serve.control import client_socket
from playmill.serve.link import LinkTally
from playmill.serve.link_metrics import link_metrics
from playmill.serve.metrics import TallyCollector
from playmill.serve.tally import ServerTally
from serve.serving import ServerProcess
from waiting import wait_for

PROMETHEUS = shutil.which("prometheus") or shutil.which("prometheus", path=Path(sys.executable).parent)
CONFIG = """
game: tictactoe
iterations: 500
workers: 1
net: {hidden: 16, blocks: 1}
search: {puct: {budget: 16, inflight: 4}}
selfplay: {games: 200, shard_games: 50, lanes: 8}
train: {batch_size: 32, steps_per_iteration: 20}
gate: {games: 20}
"""


def exported():
    """The names of all metrics, as Prometheus stores them."""
    server, run = ServerTally(), RunTally(win_rate=0.5)
    server.model("best")
    server.refusals["busy"] += 1
    families = [*TallyCollector(server).collect(), *RunCollector(run).collect(), *link_metrics(LinkTally())]
    named = {sample.name for family in families for sample in family.samples}
    return named | {family.name for family in families}


def test_every_query_names_metrics_that_are_exported():
    known = exported()
    for title, expression in queries():
        found = METRIC.findall(expression)
        assert found, f"{title}: {expression}"
        assert set(found) <= known, f"{title}: {set(found) - known} of {expression}"


def test_the_dashboard_shows_what_is_asked_of_it():
    shown = {name for _, expression in queries() for name in METRIC.findall(expression)}
    for name in (
        "playmill_serve_evaluations_total", "playmill_serve_batch_rows_bucket", "playmill_serve_queue_rows",
        "playmill_serve_latency_seconds_bucket", "playmill_serve_reloads_total", "playmill_run_fallbacks_total",
        "playmill_run_collisions_total", "playmill_run_evaluations_total", "playmill_client_latency_seconds_bucket",
    ):  # fmt: skip
        assert name in shown


def test_the_dashboard_is_one_that_grafana_can_load():
    found = dashboard()
    panels = found["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert {variable["name"] for variable in found["templating"]["list"]} == {"datasource", "job"}
    taken = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert place["x"] + place["w"] <= 24
        assert not cells & taken, f"{panel['title']} lies over another panel"
        taken |= cells


# ------------------------------------------------------------------ a real Prometheus


def ports(count):
    """Ports that are free now."""
    import socket

    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    found = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return found


@contextlib.contextmanager
def process(*words, log):
    with log.open("wb") as file:
        child = subprocess.Popen([str(word) for word in words], stdout=file, stderr=subprocess.STDOUT)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def scraping(folder, targets):
    """The shipped configuration, with other addresses and scraped every second."""
    content = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
    content["global"]["scrape_interval"] = "1s"
    assert [job["job_name"] for job in content["scrape_configs"]] == list(targets)
    for job in content["scrape_configs"]:
        job["static_configs"] = [{"targets": [targets[job["job_name"]]]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(content))
    return path


def ask_prometheus(port, expression):
    """Its series with a number; those whose last value is none are left out."""
    asked = expression.replace("$__rate_interval", "20s").replace("$job", ".*")
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": asked})
    with urllib.request.urlopen(url, timeout=60) as page:
        answer = json.load(page)
    assert answer["status"] == "success", (expression, answer)
    return [series for series in answer["data"]["result"] if series["value"][1] != "NaN"]


def is_ready(port):
    with contextlib.suppress(OSError):
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=1).status == 200
    return False


@pytest.mark.jit
@pytest.mark.skipif(PROMETHEUS is None, reason="needs prometheus; `make prometheus` fetches it")
def test_prometheus_answers_every_query_of_the_dashboard_from_a_live_run_and_a_live_server(tmp_path):
    served, played, prometheus = ports(3)
    address, run = f"unix://{tmp_path}/mill", tmp_path / "run"
    (tmp_path / "config.yaml").write_text(CONFIG)
    models = [f"--model={name}={run / 'models' / name}.pt" for name in ("best", "candidate")]
    words = ["run", tmp_path / "config.yaml", "--out", run, "--infer", address, "--metrics", f"127.0.0.1:{played}"]
    config = scraping(tmp_path, {"serve": f"127.0.0.1:{served}", "run": f"127.0.0.1:{played}"})
    watch = [PROMETHEUS, f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'tsdb'}"]
    watch += [f"--web.listen-address=127.0.0.1:{prometheus}", "--log.level=warn"]
    with (
        ServerProcess(address, *models, "--allow-missing", "--metrics", f"127.0.0.1:{served}"),
        process(*watch, log=tmp_path / "prometheus.log"),
        process(sys.executable, "-m", "playmill", *words, log=tmp_path / "run.log") as player,
    ):
        nonsense = client_socket(zmq.Context.instance(), address, None)
        nonsense.send_multipart([b"nonsense"])  # so that there is a refusal to show
        wait_for(lambda: is_ready(prometheus), 240)
        left = queries()

        def are_all_answered():
            assert player.poll() is None, (tmp_path / "run.log").read_text()
            left[:] = [(title, asked) for title, asked in left if not ask_prometheus(prometheus, asked)]
            return not left

        try:
            wait_for(are_all_answered, 240)
        except AssertionError as error:
            raise AssertionError(f"{error}; without data: {left}") from None
        nonsense.close(0)
        simulated = next(asked for title, asked in queries() if title == "Simulations a second")
        assert any(float(series["value"][1]) > 0 for series in ask_prometheus(prometheus, simulated))
    assert not re.search(r"level=error", (tmp_path / "prometheus.log").read_text())
