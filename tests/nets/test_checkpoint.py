"""Checkpoints: what is written comes back, to the byte; what does not belong is refused by name."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest
import torch

from nets.making import SHAPES, lively_net, positions
from playmill.core.errors import PlaymillError, UsageError
from playmill.games.connect_four import CONNECT_FOUR
from playmill.games.registry import get_game
from playmill.nets.checkpoint import hash_content, load_checkpoint, make_checkpoint, save_checkpoint, sidecar_path
from playmill.nets.meta import CHECKPOINT_VERSION, CheckpointError
from playmill.nets.spec import NetSpec

SPEC = NetSpec(hidden=16, blocks=1, margin=True, togo=True)
YATZY = get_game("yatzy")


def trained(seed=0):
    """A checkpoint in the middle of training."""
    net = lively_net(YATZY, SPEC, seed)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    logits, values = net(torch.from_numpy(positions("yatzy", 8)))
    (logits.square().mean() + values.square().mean()).backward()
    optimizer.step()
    return make_checkpoint(
        YATZY, SPEC, net, config_hash="c0ffee", commit="abc123", parent="9" * 64, train_step=7, iteration=2,
        optimizer=optimizer.state_dict(), extras={"epoch": 1, "order": torch.arange(3), "words": ["a", "a"]},
    )  # fmt: skip


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "best.pt"
    save_checkpoint(path, trained())
    return path


def edited(path, **changes):
    """Change entries of the file's payload, as another version of the code might have written it."""
    payload = torch.load(path, weights_only=True)
    for name, value in changes.items():
        place = payload["meta"] if name in payload["meta"] else payload
        place[name] = value
    del payload["sha256"]
    torch.save({**payload, "sha256": hash_content(payload)}, path)
    return path


# ------------------------------------------------------------------ a round trip


def test_everything_comes_back(path):
    before, after = trained(), load_checkpoint(path, YATZY)
    assert (after.spec, after.meta, after.path) == (before.spec, before.meta, path)
    assert all(torch.equal(before.weights[name], after.weights[name]) for name in before.weights)
    assert after.extras["words"] == ["a", "a"]
    assert torch.equal(after.extras["order"], torch.arange(3))
    optimizer = torch.optim.AdamW(after.net().parameters(), lr=1e-3)
    optimizer.load_state_dict(after.optimizer)
    assert len(optimizer.state) == len(before.weights)


def test_the_net_answers_as_before(path):
    features = torch.from_numpy(positions("yatzy", 32))
    net = lively_net(YATZY, SPEC)
    net.load_state_dict(dict(trained().weights))
    with torch.inference_mode():
        assert torch.equal(load_checkpoint(path).net()(features)[0], net(features)[0])


def test_the_sidecar_repeats_the_meta_field_for_field(path):
    meta = load_checkpoint(path).meta
    assert json.loads(sidecar_path(path).read_text()) == {
        "checkpoint_version": CHECKPOINT_VERSION,
        **json.loads(meta.model_dump_json()),
    }
    assert sidecar_path(path).name == "best.meta.json"
    stored = torch.load(path, weights_only=True)["meta"]
    assert stored == meta.model_dump()
    assert {"game", "ruleset", "action_space", "feature_schema", "features", "logits", "players", "heads", "config_hash",
            "commit", "parent", "train_step", "iteration", "weights_sha256"} == set(stored)  # fmt: skip


def test_a_checkpoint_does_not_change_when_training_goes_on():
    net = lively_net(YATZY, SPEC)
    checkpoint = make_checkpoint(YATZY, SPEC, net)
    before = checkpoint.weights["stem.weight"].clone()
    net.stem.weight.data.zero_()
    assert torch.equal(checkpoint.weights["stem.weight"], before)


# ------------------------------------------------------------------ the same bytes


def test_the_same_checkpoint_gives_the_same_bytes_under_any_name(path, tmp_path):
    save_checkpoint(tmp_path / "elsewhere" / "other.pt", trained())
    assert (tmp_path / "elsewhere" / "other.pt").read_bytes() == path.read_bytes()


def test_reading_and_writing_again_gives_the_same_bytes(path, tmp_path):
    save_checkpoint(tmp_path / "copy.pt", load_checkpoint(path))
    assert (tmp_path / "copy.pt").read_bytes() == path.read_bytes()
    assert (tmp_path / "copy.meta.json").read_bytes() == sidecar_path(path).read_bytes()


def test_another_process_writes_the_same_bytes(tmp_path):
    program = textwrap.dedent("""
        import sys
        from pathlib import Path
        from playmill.games.registry import get_game
        from playmill.nets.checkpoint import make_checkpoint, save_checkpoint
        from playmill.nets.model import build_net
        from playmill.nets.spec import NetSpec
        game, spec = get_game("yatzy"), NetSpec(hidden=16, margin=True)
        save_checkpoint(Path(sys.argv[1]), make_checkpoint(game, spec, build_net(game, spec, 5), commit="abc"))
    """)
    digests = []
    for number in range(2):
        out = tmp_path / f"{number}.pt"
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        subprocess.run([sys.executable, "-c", program, str(out)], check=True, env=environment, timeout=300)
        digests.append(hashlib.sha256(out.read_bytes()).hexdigest())
    assert digests[0] == digests[1]


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", "chess"),
        ("ruleset", "forced_yatzy_v9"),
        ("action_space", "oracle_keepmask_v9"),
        ("feature_schema", 9),
        ("features", (46,)),
        ("logits", 48),
        ("players", 3),
    ],
)
def test_another_game_or_version_of_it_is_refused_by_name(path, field, value):
    wanted = getattr(load_checkpoint(path).meta, field)
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(edited(path, **{field: value}), YATZY)
    assert str(caught.value) == f"{path}: {field}: expected {wanted!r} for yatzy, got {value!r}"


def test_a_checkpoint_of_another_table_of_heads_is_refused_by_name(path):
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(edited(path, heads=("value", "margin")), YATZY)
    heads = ["win", "margin", "togo_own", "togo_opp"]
    line = f"{path}: heads: expected {heads} of a network with value: win, got ['value', 'margin']; "
    assert str(caught.value) == line + "it was made by another playmill: train a new one"


def test_a_net_whose_kind_comes_with_a_pack_that_is_not_there_names_the_game(path):
    payload = torch.load(path, weights_only=True)
    payload["spec"]["kind"] = "mpl"
    del payload["sha256"]
    torch.save({**payload, "sha256": hash_content(payload)}, path)
    line = r"best.pt: unknown network kind 'mpl'; did you mean 'mlp'\? \(known: .*\); it comes with the pack of yatzy: install"
    with pytest.raises(CheckpointError, match=line):
        load_checkpoint(path, YATZY)


def test_a_net_of_another_game_is_refused(path):
    with pytest.raises(CheckpointError, match=r"best.pt: game: expected 'connect_four' for connect_four, got 'yatzy'"):
        load_checkpoint(path, CONNECT_FOUR)


def test_a_newer_version_is_refused(path):
    with pytest.raises(CheckpointError, match=r"checkpoint_version: expected 4, got 5; update playmill"):
        load_checkpoint(edited(path, checkpoint_version=5))


def test_a_file_of_version_1_has_no_checksum_and_is_read(path):
    payload = torch.load(path, weights_only=True)
    del payload["sha256"]
    torch.save(payload, path)
    with pytest.raises(CheckpointError, match="damaged: expected content with sha256 None"):
        load_checkpoint(path)
    torch.save({**payload, "checkpoint_version": 1}, path)
    assert load_checkpoint(path).meta == trained().meta


@pytest.mark.parametrize("name", ["yatzy-hand", "yatzy-small"])
def test_a_file_of_version_3_tells_a_kinds_settings_among_all_others(tmp_path, name):
    spec = SHAPES[name][1]
    path, new = tmp_path / "old.pt", make_checkpoint(YATZY, spec, lively_net(YATZY, spec))
    save_checkpoint(path, new)
    own = {"tower": 64, "tower_blocks": 2, "hand": name == "yatzy-hand"}  # which then networks of all kinds had
    told = {key: value for key, value in spec.model_dump().items() if key != "seats"}
    old = load_checkpoint(edited(path, checkpoint_version=3, spec={**told, **own}))
    assert (old.spec, old.meta) == (new.spec, new.meta)
    with pytest.raises(CheckpointError, match="unknown key"):
        load_checkpoint(edited(path, checkpoint_version=4))


@pytest.mark.parametrize("part", ["optimizer", "extras", "meta", "spec"])
def test_one_changed_value_anywhere_is_noticed(path, part):
    payload = torch.load(path, weights_only=True)
    payload[part] = changed(payload[part])
    torch.save(payload, path)
    with pytest.raises(CheckpointError, match="damaged: expected content with sha256"):
        load_checkpoint(path)


def changed(value):
    """The same nest, but for one bit of its last leaf."""
    if isinstance(value, dict):
        key = list(value)[-1]
        return {**value, key: changed(value[key])}
    if isinstance(value, list | tuple) and value:
        return type(value)([*value[:-1], changed(value[-1])])
    if isinstance(value, torch.Tensor):
        flat = value.clone().reshape(-1)
        flat.view(torch.uint8)[0] ^= 1
        return flat.reshape(value.shape)
    return "another" if isinstance(value, str) else not value


def test_changed_weights_are_noticed(path):
    weights = torch.load(path, weights_only=True)["model"]
    weights["stem.bias"][0] += 1
    with pytest.raises(CheckpointError, match="damaged: expected weights with sha256"):
        load_checkpoint(edited(path, model=weights))


def test_weights_that_do_not_fit_the_spec_are_noticed(path):
    spec = {**SPEC.model_dump(), "hidden": 32}
    with pytest.raises(CheckpointError, match="don't fit what it says of itself"):
        load_checkpoint(edited(path, spec=spec))


@pytest.mark.parametrize("keep", [0, 1, 100, 0.5, 0.99])
def test_a_torn_file_is_refused_in_one_line(path, keep):
    data = path.read_bytes()
    path.write_bytes(data[: keep if isinstance(keep, int) else int(len(data) * keep)])
    with pytest.raises(CheckpointError, match=r"not a checkpoint, or a torn one") as caught:
        load_checkpoint(path)
    assert "\n" not in str(caught.value)


def test_other_files_are_refused(tmp_path):
    for name, write in {"text.pt": lambda f: f.write_text("hello"), "list.pt": lambda f: torch.save([1, 2], f)}.items():
        write(tmp_path / name)
        with pytest.raises(CheckpointError, match=f"{name}: not a checkpoint"):
            load_checkpoint(tmp_path / name)


def test_a_file_that_would_run_code_is_refused(tmp_path):
    class Evil:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "owned"),))

    torch.save({"checkpoint_version": 1, "meta": Evil()}, tmp_path / "evil.pt")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "evil.pt")
    assert not (tmp_path / "owned").exists()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PlaymillError, match=r"none.pt: no such checkpoint"):
        load_checkpoint(tmp_path / "none.pt")


def test_a_name_without_pt_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"net.bin: a checkpoint's name ends in .pt"):
        save_checkpoint(tmp_path / "net.bin", trained())


def test_what_could_not_be_read_back_is_not_written(path):
    before = path.read_bytes()
    with pytest.raises(UsageError, match=r"checkpoint: expected tensors and plain values, got float64"):
        save_checkpoint(path, replace(trained(), extras={"loss": np.float64(1)}))
    assert path.read_bytes() == before
    assert sidecar_path(path).exists()


# ------------------------------------------------------------------ a kill


def test_a_failure_while_writing_leaves_the_old_checkpoint(path, monkeypatch):
    before = path.read_bytes()

    def half(payload, file):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(path, trained(seed=1))
    assert path.read_bytes() == before
    assert load_checkpoint(path, YATZY).meta == trained().meta
    assert [file.name for file in path.parent.iterdir()] == ["best.pt"]


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_kill_at_any_moment_leaves_a_whole_checkpoint_and_no_wrong_sidecar(path):
    program = textwrap.dedent("""
        import sys
        from dataclasses import replace
        from pathlib import Path
        from playmill.nets.checkpoint import load_checkpoint, save_checkpoint
        path = Path(sys.argv[1])
        checkpoint = load_checkpoint(path)
        print("ready", flush=True)
        step = 0
        while True:
            step += 1
            save_checkpoint(path, replace(checkpoint, meta=checkpoint.meta.model_copy(update={"train_step": step})))
    """)
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    process.stdout.readline()
    for _ in range(50):  # the file is read while it is replaced, again and again
        load_checkpoint(path, YATZY)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    meta = load_checkpoint(path, YATZY).meta
    if sidecar_path(path).exists():
        assert json.loads(sidecar_path(path).read_text()) == {
            "checkpoint_version": CHECKPOINT_VERSION,
            **json.loads(meta.model_dump_json()),
        }
