"""Seed sets: derived, kept, checked."""

import json

import pytest

from playmill.arena.seeds import SeedSet, derive_seeds, hash_seeds, load_seeds, save_seeds
from playmill.core.errors import UsageError


def test_a_set_follows_from_its_seed_and_a_longer_one_begins_like_it():
    short, long = derive_seeds(10, seed=7), derive_seeds(20, seed=7)
    assert long.seeds[:10] == short.seeds == long.first(10).seeds
    assert len(set(long.seeds)) == 20
    assert derive_seeds(10, seed=8).seeds != short.seeds


def test_seeds_are_exact_in_any_json():
    assert all(int(float(seed)) == seed for seed in derive_seeds(1000).seeds)


def test_the_hash_is_of_the_ordered_list():
    # printf '\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0' | sha256sum
    assert hash_seeds((1, 2)) == "0c730b69905c5ef7a4ca5269f72365400bde2dd2c04eaf9bbb3d1c4a265a0131"
    assert hash_seeds((1, 2)) != hash_seeds((2, 1))


def test_a_file_gives_back_the_set(tmp_path):
    made = derive_seeds(5, seed=3, name="dev")
    save_seeds(tmp_path / "dev.json", made)
    assert load_seeds(tmp_path / "dev.json") == made


def altered(path, **fields):
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seeds": [1, 2, 3]}, "don't fit their checksum"),
        ({"version": 2}, "version: expected 1, got 2"),
        ({"format": "other"}, "expected a seed set"),
        ({"seeds": [-1]}, "whole numbers"),
        ({"seeds": []}, "whole numbers"),
        ({"name": 5}, "a name"),
    ],
)
def test_an_altered_file_is_refused(tmp_path, fields, message):
    path = tmp_path / "dev.json"
    save_seeds(path, derive_seeds(5))
    altered(path, **fields)
    with pytest.raises(UsageError, match=message):
        load_seeds(path)


def test_a_file_that_is_missing_or_no_json_is_refused(tmp_path):
    with pytest.raises(UsageError, match="seed-set"):
        load_seeds(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("seeds")
    with pytest.raises(UsageError, match="expected one JSON object"):
        load_seeds(tmp_path / "text.json")


def test_a_set_that_is_too_short_says_so():
    with pytest.raises(UsageError, match="'dev': 3 seeds are needed, but it has 2"):
        SeedSet("dev", (1, 2)).first(3)
