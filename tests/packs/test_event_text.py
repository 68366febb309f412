"""Events in lines for people."""

from playmill.packs.event_text import event_line
from playmill.pipeline.roles import NAMES


def test_a_validation_is_told_in_words():
    event = {
        "event": "train_validation", "weights_sha256": "ab" * 32, "games": 5, "accuracy": 0.3339, "chance": 0.0848,
        "policy_loss": 2.12, "value_loss": 0.2365, "even_value_loss": 0.4079,
    }  # fmt: skip
    assert event_line(event, "diplomacy", NAMES) == (
        "validation: 33.4% of orders found in 5 unseen games, 8.5% by blind guess; value loss 0.2365, 0.4079 if all were even"
    )


def test_an_event_of_another_version_is_passed_over():
    assert event_line({"event": "train_validation", "games": 5}, "diplomacy", NAMES) is None
