"""A Ray cluster of several nodes on this machine, for tests: no dashboard, no usage statistics, little memory."""

import os
import shutil
import signal
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_AUTH_MODE"] = "disabled"  # else Ray looks for a token of whoever runs the tests
STORE_BYTES = 80_000_000  # the least that Ray takes is 75 MiB
# A node that is gone is noticed within seconds, not half a minute; and workers are no nicer than the tests that wait for them:
# at Ray's own 15 a busy machine gave one 4 s of processor time in four minutes.
QUICK = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 1000,
    "health_check_failure_threshold": 3,
    "worker_niceness": 0,
}

ray = pytest.importorskip("ray")


@contextmanager
def nodes_on_this_machine(nodes=2):
    """A cluster whose nodes have one CPU each, and this process connected to it."""
    from ray.cluster_utils import Cluster

    # Not pytest's folder: the path of a Unix socket has room for 107 characters, of which Ray takes half.
    folder = tempfile.mkdtemp(prefix="pm-ray-", dir="/tmp")
    os.environ["RAY_TMPDIR"] = folder
    (Path(folder) / "ray").mkdir()
    args = {"num_cpus": 1, "object_store_memory": STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args={**args, "include_dashboard": False, "_system_config": QUICK})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**args)
        ray.init(cluster.address, log_to_driver=False, logging_level="error")
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
        os.environ.pop("RAY_TMPDIR")
        shutil.rmtree(folder, ignore_errors=True)


def muster(workforce, size=2):
    """Wait until so many workers are at hand."""
    crew = workforce.crew
    crew.resize(size)
    while crew.starting:
        for ref in ray.wait(crew.starting, num_returns=1, timeout=60)[0]:
            crew.greet(ref)


def strike_worker(workforce, cluster):
    """Kill a worker that has a task."""
    member = next(one for one in workforce.crew.members if one.is_busy)
    os.kill(member.introduction.pid, signal.SIGKILL)


def strike_node(workforce, cluster):
    """Kill a whole node, one of whose workers has a task."""
    (node,) = cluster.worker_nodes
    assert node.node_id in {one.introduction.node for one in workforce.crew.members if one.is_busy}
    cluster.remove_node(node, allow_graceful=False)
