"""One executor: results, news, the first error, and how it stops."""

import os
import signal
import threading
import time

import pytest

from playmill.core.executor import Stop, Stopped, Threads, counting, run, stop_sign, tell, worker_local


def square(number):
    return number * number


def slow_first(number):
    time.sleep(0.2 if number == 0 else 0)
    return number


def fail_at_odd(number):
    if number % 2:
        time.sleep(0.02 * (9 - number))  # the higher, the sooner
        raise ValueError(f"task {number}")
    return number


def until_told(number):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        stop_sign().check()
        time.sleep(0.001)
    raise AssertionError("nobody told the task to stop")


def count_up(number):
    for _ in range(number):
        tell(1)
    return number


def own_list(number):
    own = worker_local("list", list)
    own.append(number)
    time.sleep(0.001)
    return id(own), len(own)


def noting(seen, results):
    """Note each result as it comes."""
    for number, result in results:
        seen[number] = result


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_are_the_same_for_any_number_of_workers(workers):
    assert dict(run(square, range(50), workers)) == {n: n * n for n in range(50)}


def test_results_come_as_they_finish_or_in_order():
    assert [n for n, _ in run(slow_first, range(4), 2)] == [1, 2, 3, 0]
    assert [n for n, _ in run(slow_first, range(4), 2, in_order=True)] == [0, 1, 2, 3]


def test_no_task_is_no_result_and_one_task_needs_no_thread():
    assert list(run(square, [], 3)) == []
    assert list(run(lambda _: threading.current_thread(), [7], 3)) == [(0, threading.current_thread())]


def test_tasks_are_taken_from_the_iterator_as_workers_get_free():
    taken = []

    def tasks():
        for number in range(100):
            taken.append(number)
            yield number

    results = run(square, tasks(), 2)
    next(results)
    assert len(taken) < 10
    results.close()


def test_the_error_of_the_lowest_task_is_raised_after_the_results_that_came():
    seen = {}
    with pytest.raises(ValueError, match="task 1"):
        noting(seen, run(fail_at_odd, range(8), 8))
    assert seen == {0: 0, 2: 2, 4: 4, 6: 6}


def test_after_an_error_running_tasks_are_stopped_and_waiting_ones_never_begin():
    begun = []

    def work(number):
        begun.append(number)
        if number == 0:
            raise ValueError("task 0")
        until_told(number)

    with pytest.raises(ValueError, match="task 0"):
        list(run(work, range(100), 2))
    assert len(begun) < 10


def test_stopped_without_being_told_is_an_error():
    def give_up(_):
        raise Stopped("by myself")

    with pytest.raises(Stopped, match="by myself"):
        list(run(give_up, range(2), 2))


def test_a_run_that_was_cancelled_before_it_began_does_nothing():
    cancel = threading.Event()
    cancel.set()
    assert list(run(abs, range(8), 2, cancel=cancel)) == []


def test_a_cancelled_run_ends_without_an_error():
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    assert list(run(until_told, range(8), 2, cancel=cancel)) == []
    assert time.monotonic() - began < 5


def test_ctrl_c_stops_the_tasks_and_is_raised():
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    began, seen = time.monotonic(), {}
    with pytest.raises(KeyboardInterrupt):
        noting(seen, run(lambda n: until_told(n) if n else "done", range(100), 2))
    assert seen == {0: "done"}
    assert time.monotonic() - began < 30


def test_whoever_wants_no_more_results_stops_the_tasks():
    results = run(lambda n: until_told(n) if n else n, range(3), 2)
    assert next(results) == (0, 0)
    before = threading.active_count()
    results.close()
    assert threading.active_count() < before


def test_news_are_heard_in_the_waiting_thread_and_counts_add_up():
    here, sums, threads = threading.current_thread(), [], set()
    hear = counting(sums.append, 10)

    def listen(number, news):
        threads.add(threading.current_thread())
        hear(number, news)

    assert dict(run(count_up, [3, 0, 4], 2, hear=listen)) == {0: 3, 1: 0, 2: 4}
    assert sums == list(range(11, 18))
    assert threads == {here}
    assert list(run(count_up, [2], 2, hear=listen)) == [(0, 2)]
    assert sums[-2:] == [18, 19]


def test_what_a_worker_keeps_is_its_own_and_lasts_as_long_as_the_executor():
    executor = Threads(2)
    first = dict(executor.run(own_list, range(20))).values()
    second = dict(executor.run(own_list, range(20))).values()
    assert 1 <= len({place for place, _ in first}) <= 2
    assert {place for place, _ in second} <= {place for place, _ in first} or len({place for place, _ in first}) < 2
    assert max(length for _, length in second) > max(length for _, length in first)


def test_a_task_function_can_be_called_without_an_executor():
    assert own_list(3)[1] == 1
    assert count_up(2) == 2
    assert not stop_sign().is_set()


def test_linked_flags_follow_the_sign():
    stop, flag = Stop(), [5]
    stop.link(flag)
    assert flag == [0]
    stop.set()
    late = [0]
    stop.link(late)
    assert (flag, late, stop.flag[0]) == ([1], [1], 1)


def test_a_task_may_run_tasks():
    def outer(number):
        inner = sum(result for _, result in run(square, range(3), 2))
        return inner + worker_local("kept", lambda: number) * 0

    assert dict(run(outer, range(4), 2)) == dict.fromkeys(range(4), 5)
