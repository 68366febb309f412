"""A network's file carries what it was made for, and is refused by name where that is something else."""

import json

import pytest
import torch

from diplomacy_neural.playing import SPEC, new_checkpoint
from nets.making import saved
from playmill.core.errors import UsageError
from playmill.nets.checkpoint import hash_content
from playmill.nets.checkpoint import save_checkpoint as save
from playmill.nets.meta import CheckpointError
from playmill.packs.diplomacy.neural.checkpoint import hash_map, load
from playmill.packs.diplomacy.neural.spec import make_spec


@pytest.fixture
def path(tmp_path):
    save(tmp_path / "net.pt", new_checkpoint())
    return tmp_path / "net.pt"


def rewritten(path, payload):
    """The file with this content, as whole as any."""
    torch.save({**payload, "sha256": hash_content(payload)}, path)
    return path


def test_a_file_brings_back_the_network(path):
    found, before = load(path), new_checkpoint()
    assert found.spec == SPEC
    assert found.meta == before.meta
    for name, tensor in before.net().state_dict().items():
        assert torch.equal(found.net().state_dict()[name], tensor)


def test_the_same_network_gives_the_same_bytes(path, tmp_path):
    save(tmp_path / "again.pt", new_checkpoint())
    assert (tmp_path / "again.pt").read_bytes() == path.read_bytes()


def test_the_sidecar_is_the_meta(path):
    sidecar = json.loads(path.with_suffix(".meta.json").read_text())
    assert sidecar["game"] == "diplomacy"
    assert sidecar["map_hash"] == hash_map()
    assert sidecar["value_target"] == "outcome-shares-1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("feature_schema", 99),
        ("map_hash", "0123456789abcdef"),
        ("action_space", "other"),
        ("value_target", "wins"),
        ("logits", 3),
    ],
)
def test_a_network_for_something_else_is_refused_by_name(path, name, value):
    payload = torch.load(path, weights_only=True)
    payload["meta"][name] = value
    del payload["sha256"]
    with pytest.raises(CheckpointError, match=f"net.pt: {name}: expected .* for diplomacy, got {value!r}"):
        load(rewritten(path, payload))


def test_a_file_of_version_3_calls_logits_slots_and_is_read(path):
    payload = torch.load(path, weights_only=True)
    payload["meta"]["slots"] = payload["meta"].pop("logits")
    del payload["sha256"]
    with pytest.raises(CheckpointError, match=r"net.pt: logits: expected .* for diplomacy, got None"):
        load(rewritten(path, payload))
    assert load(rewritten(path, {**payload, "checkpoint_version": 3})).meta == new_checkpoint().meta


def test_a_network_of_another_game_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="game: expected 'diplomacy' for diplomacy, got 'tictactoe'"):
        load(saved(tmp_path, "tictactoe-mlp"))


def test_damage_is_noticed(path):
    payload = torch.load(path, weights_only=True)
    payload["model"]["planes.bias"][0] += 1
    torch.save(payload, path)
    with pytest.raises(CheckpointError, match="damaged"):
        load(path)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match="not a checkpoint, or a torn one"):
        load(path)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        load(path.with_name("nothing.pt"))


def test_a_wrong_size_is_one_line():
    with pytest.raises(UsageError, match=r"net\.channels: .*multiple of 16, got 20"):
        make_spec({"channels": 20})
