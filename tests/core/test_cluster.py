"""The executor of a cluster keeps the promises of threads: results, news, errors, stops; and its workers may die."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import ray_tasks
from playmill.core.cluster.connection import connected
from playmill.core.cluster.ray_run import MOST_DEATHS
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.executor import count_workers, open_executor, run, using
from ray_cluster import nodes_on_this_machine

pytestmark = pytest.mark.jit  # nothing of it is about kernels, and once is enough


@pytest.fixture(scope="module")
def workforce():
    with nodes_on_this_machine(2), connected() as workforce:
        yield workforce


@pytest.fixture(autouse=True)
def _on_the_cluster(workforce):
    with using(workforce):
        yield


def test_results_come_with_their_numbers_and_in_order_if_wanted():
    assert dict(run(ray_tasks.square, range(20), 2)) == {n: n * n for n in range(20)}
    assert [n for n, _ in run(ray_tasks.square, range(9), 2, in_order=True)] == list(range(9))
    assert list(run(ray_tasks.square, [], 2)) == []


def test_all_cpus_of_the_cluster_are_the_usual_number_of_workers():
    assert count_workers(None) == 2
    assert count_workers(3) == 3


def test_functions_that_cannot_be_imported_travel_as_code():
    offset = 5
    assert dict(run(lambda n: n + offset, range(3), 2)) == {0: 5, 1: 6, 2: 7}


def test_what_is_worker_local_lasts_as_long_as_the_executor():
    executor = open_executor(2)
    pids = {pid for _, (pid, _) in executor.run(ray_tasks.own_list, range(6))}
    last = [own for _, (_, own) in executor.run(ray_tasks.own_list, range(6, 12))]
    assert len(pids) <= 2
    assert max(map(len, last)) >= 6
    assert all(own == [9] for _, (_, own) in open_executor(1).run(ray_tasks.own_list, [9]))


def test_the_error_of_the_lowest_task_is_raised_as_it_was():
    with pytest.raises(UsageError, match=r"task [13]") as raised:
        list(run(ray_tasks.fail_at_odd, range(6), 2))
    assert raised.value.exit_code == 2
    with pytest.raises(KeyError) as raised:
        list(run(ray_tasks.break_down, range(2), 2))
    assert any("break_down" in note for note in raised.value.__notes__)


def test_cancel_and_whoever_wants_no_more_stop_the_tasks():
    cancel = threading.Event()
    began = time.monotonic()
    assert list(run(ray_tasks.until_told, range(8), 2, hear=lambda *_: cancel.set(), cancel=cancel)) == []
    results = run(ray_tasks.first_then_wait, range(3), 2)
    assert next(results) == (0, "done")
    results.close()
    assert time.monotonic() - began < 40


def test_ctrl_c_stops_the_tasks_and_is_raised():
    results = run(ray_tasks.first_then_wait, range(50), 2, hear=lambda *_: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        list(results)


def test_a_task_whose_worker_died_is_done_again_and_tells_nothing_twice(tmp_path):
    heard, flag = [], str(tmp_path / "died")
    tasks = [(0, flag), (1, ""), (2, "")]
    results = dict(run(ray_tasks.count_slowly, tasks, 2, hear=lambda _, news: heard.append(news)))
    assert os.path.exists(flag)
    assert results.keys() == {0, 1, 2}
    assert sorted(heard) == [(number, news) for number in range(3) for news in range(10)]


def test_a_task_that_kills_its_workers_is_given_up():
    with pytest.raises(PlaymillError, match=f"task 0: {MOST_DEATHS} workers died"):
        list(run(ray_tasks.die, range(1), 1))


def test_large_read_only_parts_are_fetched_once_and_others_belong_to_their_task():
    table, own = np.arange(20_000.0), np.arange(20_000.0)
    table.setflags(write=False)
    found = [result for _, result in run(ray_tasks.where_and_what, [(table, n) for n in range(6)], 1)]
    assert len(set(found)) == 1  # the same memory each time
    assert found[0][2:] == (False, table.sum())
    found = [result for _, result in run(ray_tasks.where_and_what, [(own, n) for n in range(2)], 1)]
    assert found[0][2:] == (True, own.sum())
