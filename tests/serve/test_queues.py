"""Which rows make the next batch: full ones, late ones, everybody's turn, never two models together."""

from queue import SimpleQueue

import numpy as np
import zmq

from playmill.serve.card import ModelCard
from playmill.serve.models import Generation
from playmill.serve.protocol import Header, MessageKind
from playmill.serve.queues import Queues, RowsJob
from playmill.serve.workers import WAKE, Worker

BEST, CANDIDATE = (Generation(ModelCard(id=i, name=name, generation=1), None) for i, name in enumerate(("best", "candidate")))
WAIT = 0.5


def job(client, rows, arrived, generation=BEST, what=0, actions=0):
    header = Header(MessageKind.EVALUATE, what=what, rows=rows, actions=actions)
    empty = np.empty((rows, 1), np.float32)
    return RowsJob((0, client), header, (), generation, empty, empty, arrived)


def queues(*jobs, max_batch=100):
    found = Queues(max_batch, WAIT)
    for one in jobs:
        found.add(one)
    return found


def by_client(batch):
    counts = {}
    for piece in batch.pieces:
        counts[piece.job.client[1]] = counts.get(piece.job.client[1], 0) + piece.end - piece.begin
    return counts


def test_rows_wait_for_others_until_the_oldest_has_waited_long_enough():
    waiting = queues(job(b"a", 10, 1.0), job(b"b", 10, 1.4))
    assert waiting.deadline() == 1.5
    assert waiting.take(1.49) is None
    assert waiting.take(1.5).rows == 20
    assert waiting.deadline() is None


def test_a_full_batch_does_not_wait():
    waiting = queues(job(b"a", 60, 1.0), job(b"b", 70, 1.0))
    assert waiting.take(1.0).rows == 100
    assert waiting.rows == 30
    assert waiting.take(1.0) is None


def test_a_deadline_that_passed_in_a_backlog_makes_no_small_batch():
    waiting = queues(*(job(bytes([client]), 1, 0.0) for client in range(250)))
    sizes = []
    while (batch := waiting.take(9.0)) is not None:
        sizes.append(batch.rows)
    assert sizes == [100, 100, 50]


def test_models_and_questions_never_share_a_batch():
    waiting = queues(
        job(b"a", 30, 0.0), job(b"b", 30, 0.1, CANDIDATE), job(b"c", 30, 0.2, what=1), job(b"d", 30, 0.3, actions=4)
    )
    found = [waiting.take(9.0) for _ in range(4)]
    assert [batch.rows for batch in found] == [30] * 4
    assert [batch.question.generation.card.name for batch in found] == ["best", "candidate", "best", "best"]
    assert all(piece.job.generation is batch.question.generation for batch in found for piece in batch.pieces)


def test_the_question_that_has_waited_longest_comes_first():
    waiting = queues(job(b"a", 100, 2.0), job(b"b", 3, 1.0, CANDIDATE))
    assert waiting.take(3.0).question.generation is CANDIDATE


def test_a_client_with_many_rows_takes_no_turn_of_others():
    waiting = queues(*(job(b"greedy", 50, 0.0) for _ in range(20)), job(b"modest", 20, 0.1), job(b"small", 5, 0.1))
    assert by_client(waiting.take(1.0)) == {b"greedy": 75, b"modest": 20, b"small": 5}


def test_a_request_may_be_answered_in_parts_and_none_is_lost():
    rng = np.random.default_rng(0)
    jobs = [job(bytes([rng.integers(5)]), int(rng.integers(1, 260)), 0.0) for _ in range(60)]
    waiting, seen = queues(*jobs), {}
    while (batch := waiting.take(9.0)) is not None:
        assert batch.rows <= 100
        for piece in batch.pieces:
            assert piece.begin == seen.get(id(piece.job), 0)
            seen[id(piece.job)] = piece.end
    assert [seen[id(one)] for one in jobs] == [one.rows for one in jobs]
    assert waiting.rows == 0


def test_a_client_that_is_gone_takes_its_rows_along():
    gone, partly, stays = job(b"a", 40, 0.0), job(b"b", 150, 0.0), job(b"c", 20, 0.0)
    waiting = queues(gone, partly, stays)
    waiting.take(1.0)
    assert waiting.drop((0, b"b")) == []  # some of it is being answered
    assert partly.is_dropped
    assert waiting.rows + gone.taken + stays.taken == 60
    waiting = queues(gone := job(b"a", 40, 0.0))
    assert waiting.drop((0, b"a")) == [gone]
    assert waiting.rows == 0
    assert waiting.deadline() is None


def test_draining_takes_what_there_is():
    assert queues(job(b"a", 1, 0.0)).take(0.0, is_hurried=True).rows == 1


def test_a_worker_goes_on_with_what_waits_until_it_is_dismissed():
    waiting, done = queues(*(job(b"a", 10, 0.0) for _ in range(5)), max_batch=10), SimpleQueue()
    with zmq.Context() as context, context.socket(zmq.PULL) as wake:
        wake.bind(WAKE)
        worker = Worker(context, done, 10, lambda: waiting.take(9.0))
        worker.post(waiting.take(9.0))
        answered = [done.get(timeout=10) for _ in range(5)]
        assert [one.worker for one in answered] == [None] * 4 + [worker]
        assert [one.batch.rows for one in answered] == [10] * 5
        waiting.add(job(b"a", 10, 0.0))
        worker.dismiss()
        assert (done.empty(), waiting.rows) == (True, 10)
