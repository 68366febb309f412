"""The client against an engine that answers out of order, crashes, hangs or won't start."""

import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from playmill.core import executor
from playmill.core.errors import PlaymillError
from playmill.puzzles.katago.client import EngineFailed, EngineRefused, KataGo
from playmill.puzzles.katago.place import find_engine
from playmill.puzzles.katago.starting import start_of
from puzzles.katago.engines import Fake, query


@pytest.fixture
def engine_of(tmp_path):
    """A function that makes a client of a fake engine; all are closed at the end."""
    made = []

    def make(mode="normal", **settings):
        fake = Fake(tmp_path, mode)
        chosen = fake.settings(**settings)
        made.append(KataGo(start_of(find_engine(chosen)), chosen, tmp_path / "katago.log"))
        return made[-1], fake

    yield make
    for engine in made:
        engine.close()


def leads(answers):
    return {number: reply["rootInfo"]["scoreLead"] for number, reply in answers}


def test_answers_in_any_order_find_their_queries(engine_of):
    engine, _ = engine_of("reversed")
    assert leads(engine.ask_all([query(komi) for komi in (1.0, 2.0, 4.0, 5.0)])) == {0: -1.0, 1: -2.0, 2: -4.0, 3: -5.0}


def test_no_more_queries_are_out_than_allowed(engine_of):
    engine, fake = engine_of("hangs", in_flight=3)
    answers = engine.ask_all(query(float(komi)) for komi in range(10, 20))
    with suppress(PlaymillError):  # of an engine that is closed while somebody waits
        threading.Timer(1.0, engine.close).start()
        list(answers)
    assert fake.noted("query") == 3


def test_winrates_are_asked_for_from_black_whatever_the_configuration_says(engine_of):
    engine, _ = engine_of()
    words = engine.start.command[engine.start.command.index("-override-config") + 1].split(",")
    assert {"reportAnalysisWinratesAs=BLACK", "wideRootNoise=0.0", "nnRandomize=false", "nnCacheSizePowerOfTwo=-1"} <= set(
        words
    )


def test_after_a_crash_what_was_out_is_asked_again(engine_of):
    engine, fake = engine_of("crashes_once")
    assert leads(engine.ask_all([query(1.0), query(2.0), query(4.0)])) == {0: -1.0, 1: -2.0, 2: -4.0}
    assert fake.noted("start") == 2


def test_an_engine_that_always_crashes_is_given_up_with_its_last_words(engine_of):
    engine, fake = engine_of("crashes", restarts=2)
    with pytest.raises(
        EngineFailed, match=r"crashed \(Error: out of luck\) at query 1 \(game 7, move 12\), asked 3 times; see .*log"
    ):
        engine.ask(query(label="game 7, move 12"))
    assert fake.noted("start") == 3
    with pytest.raises(EngineFailed):
        engine.ask(query())
    assert fake.has_left()


def test_a_hanging_engine_is_started_again(engine_of):
    engine, fake = engine_of("hangs_once", timeout_s=0.5, visit_s=0.0)
    assert engine.ask(query(1.0))["rootInfo"]["scoreLead"] == -1.0
    assert fake.noted("start") == 2


def test_no_answer_names_the_query(engine_of):
    engine, fake = engine_of("hangs", timeout_s=0.4, visit_s=0.05, restarts=0)
    with pytest.raises(EngineFailed, match=r"^katago: no answer in 0.6 s for query 1 \(game 8, move 145\); see .*katago.log$"):
        engine.ask(query(label="game 8, move 145", visits=4))
    assert fake.has_left()


def test_an_engine_that_refuses_its_configuration_is_quoted(engine_of):
    engine, fake = engine_of("refuses")
    with pytest.raises(EngineFailed, match=r"did not start: what\(\): Could not find key 'numAnalysisThreads'"):
        engine.ask(query())
    assert fake.noted("start") == 1


def test_an_engine_that_never_says_hello_is_given_up(engine_of):
    engine, fake = engine_of("mute", startup_s=0.5)
    with pytest.raises(EngineFailed, match=r"did not answer within 0.5 s of its start"):
        engine.ask(query())
    assert fake.has_left()


def test_a_refused_query_says_why_and_the_engine_goes_on(engine_of):
    engine, fake = engine_of()
    with pytest.raises(EngineRefused, match=r"query 1 \(game 1\) was refused: Illegal move 0: D4 \(moves\)"):
        engine.ask(query(3.0, label="game 1"))
    assert engine.ask(query(1.0))["rootInfo"]["scoreLead"] == -1.0
    assert fake.noted("start") == 1


def test_whoever_stops_waiting_has_the_engine_stop(engine_of):
    engine, fake = engine_of("reversed")
    answers = engine.ask_all(query(float(komi)) for komi in range(10, 16))
    next(answers)
    answers.close()
    assert engine.version == "1.2.3"
    engine.close()
    assert fake.noted("terminate") >= 2  # two of six wait for a batch of four that never fills


def test_several_threads_share_one_engine(engine_of):
    engine, fake = engine_of(in_flight=2)
    tasks = [[query(float(10 * task + komi)) for komi in range(5)] for task in range(1, 5)]
    found = dict(executor.run(lambda queries: leads(engine.ask_all(queries)), tasks, 4))
    assert found == {task: {komi: -(10.0 * (task + 1) + komi) for komi in range(5)} for task in range(4)}
    assert fake.noted("start") == 1


def test_a_closed_engine_is_gone_even_if_it_would_not_leave(engine_of):
    engine, fake = engine_of("stubborn")
    engine.ask(query())
    engine.close()
    assert fake.has_left(0.5)


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from puzzles.katago.engines import Fake, query
from playmill.puzzles.katago.client import KataGo
from playmill.puzzles.katago.place import find_engine
from playmill.puzzles.katago.starting import start_of
fake = Fake(Path({folder!r}), "hangs")
settings = fake.settings()
engine = KataGo(start_of(find_engine(settings)), settings, Path({folder!r}) / "log")
engine.wait_ready()
print("ready", flush=True)
engine.ask(query())
"""


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_no_engine_outlives_us(tmp_path, signal_name):
    import signal
    from pathlib import Path

    script = SCRIPT.format(tests=str(Path(__file__).parents[2]), folder=str(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"ready\n"
    fake = Fake(tmp_path, "hangs")
    assert fake.is_running()
    child.send_signal(getattr(signal, signal_name))
    child.communicate(timeout=20)
    assert fake.has_left()
