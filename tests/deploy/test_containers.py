"""The images' own command lines, run without a container engine; their files are linted and fit the compose specification."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from compose_spec import PyCompose

from deploy.files import DEPLOY, compose, stages
from deploy.test_dashboard import ports
from waiting import wait_for

ROOT = DEPLOY.parent
BIN = Path(sys.executable).parent
TARGETS = ("server", "trainer", "worker")


def test_the_dockerfile_is_linted():
    done = subprocess.run([BIN / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("name", ["compose.yaml", "compose.cuda.yaml"])
def test_a_compose_file_fits_the_specification(name):
    services = PyCompose.from_json(json.dumps(compose(name))).service_names()
    assert set(services) <= {"keys", *TARGETS, "prometheus", "grafana"}
    with pytest.raises(ValueError, match="imag"):
        PyCompose.from_json(json.dumps({"services": {"x": {"imag": 1}}}))


def test_nobody_is_root_and_every_target_is_there_for_both_devices():
    found = stages()
    for target in TARGETS:
        assert found[target].user == "1000:1000"
        assert found[target].entrypoint == ["playmill"]
    for part in ("installed", "runtime"):
        assert {f"{part}-cpu", f"{part}-cuda"} <= set(found)
    lines = (DEPLOY / "Dockerfile").read_text()
    assert "slim" in lines
    assert "pip install --no-cache-dir" in lines
    assert "COPY --from=installed" in lines


def test_everything_that_an_image_is_made_of_is_sent_to_the_builder():
    sent = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")]
    for line in (DEPLOY / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert source in sent, source
                assert (ROOT / source).exists()


def test_compose_starts_what_the_images_start_and_watches_all_of_it():
    services, found = compose()["services"], stages()
    for target in TARGETS:
        own = services[target]
        assert own["build"]["target"] == target
        words = [word for given in own["command"] for word in (given.split("=", 1) if given.startswith("--") else [given])]
        extra = {"server": ["--device", "cpu"], "trainer": ["--set", "device=cpu"], "worker": []}[target]
        assert words == found[target].command + extra
    targets = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"]
    watched = {address for job in targets for part in job["static_configs"] for address in part["targets"]}
    pages = {target: found[target].command[found[target].command.index("--metrics") + 1] for target in TARGETS}
    assert watched == {address.replace("0.0.0.0", target) for target, address in pages.items()}
    mounted = [volume.split(":")[0] for service in ("prometheus", "grafana") for volume in services[service]["volumes"]]
    for path in (path for path in mounted if path.startswith("./")):
        assert (DEPLOY / path).exists()


# ------------------------------------------------------------------ entry points


class Machine:
    """Runs command lines of images here: their folders are in a temporary one, their ports are free ones of this machine."""

    def __init__(self, folder):
        port, served, *played = ports(4)
        for name in ("runs", "keys"):
            (folder / name).mkdir()
        self.address = f"tcp://127.0.0.1:{port}"
        self.changes = {
            "tcp://0.0.0.0:7000": self.address, "tcp://server:7000": self.address, "tcp://127.0.0.1:7000": self.address,
            "0.0.0.0:9100": f"127.0.0.1:{served}", "0.0.0.0:9101": f"127.0.0.1:{played[0]}",
            "/configs/yatzy_demo.yaml": f"{ROOT}/configs/yatzy_smoke.yaml",
            "/runs": f"{folder}/runs", "/keys": f"{folder}/keys",
        }  # fmt: skip
        self.environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}

    def start(self, words):
        for old, new in self.changes.items():
            words = [word.replace(old, new) for word in words]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment)

    def run(self, words):
        child = self.start(words)
        said = child.communicate(timeout=400)[0]
        return child.returncode, said


@pytest.mark.jit
def test_the_entry_points_make_keys_serve_train_and_play(tmp_path):
    found, machine = stages(), Machine(tmp_path)
    keys = compose()["services"]["keys"]
    for _ in range(2):  # the second time they are there
        assert machine.run([*keys["entrypoint"], *keys["command"]])[0] == 0
    server = machine.start([*found["server"].entrypoint, *found["server"].command])
    try:
        wait_for(lambda: machine.run(found["server"].health)[0] == 0, 200)
        assert machine.run(found["trainer"].health)[0] != 0
        code, said = machine.run([*found["trainer"].entrypoint, *found["trainer"].command])
        assert code == 0, said
        assert machine.run(found["trainer"].health)[0] == 0
        code, said = machine.run([*found["worker"].entrypoint, *found["worker"].command])
        assert code == 0, said
        assert list((tmp_path / "runs" / "worker" / "replay").glob("*.meta.json"))
        code, status = machine.run([*found["server"].health, "--json"])
        asked = json.loads(status)
        assert asked["evaluations"] > 0
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=240)
        assert server.returncode == 0
    finally:
        if server.poll() is None:
            server.kill()
            server.communicate()
