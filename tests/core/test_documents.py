"""Documents are read strictly, and what is wrong with one is a line with the place."""

from __future__ import annotations

import pytest
from pydantic import Field

from playmill.core.documents import MAX_DEPTH, MAX_YAML_BYTES, fit, parse_json, parse_object, parse_yaml, read_text, read_yaml
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.settings import Settings


class Inner(Settings):
    lr: float = 0.1
    steps: int = Field(1, ge=1)
    is_on: bool = False


class Outer(Settings):
    seed: int = Field(0, ge=0, lt=1 << 64)
    inner: Inner = Inner()
    name: str | None = None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: 2\na: 3\n", "here: expected YAML, but the key 'a' comes twice in line 3"),
        ("a: {b: 1, b: 2}", "the key 'b' comes twice in line 1"),
        ("a: &x [1]\nb: *x", r"an alias \(\*x\) stands where a value is expected in line 2"),
        ("a: !!python/object/apply:os.system [ls]", "a tag .* stands before a value in line 1"),
        ("a: !!bool foo", "a tag .* stands before a value in line 1"),
        ("[" * 100_000, f"nested more than {MAX_DEPTH} deep in line 1"),
        ("{a: " * 5_000, f"nested more than {MAX_DEPTH} deep in line 1"),
        ("- " * 5_000, f"nested more than {MAX_DEPTH} deep in line 1"),
        ("a: [1", "expected YAML, but .* in line 1"),
        ("a: 1\n---\nb: 2", "expected YAML, but but found another document in line 2"),
        ("a: \0", "expected YAML, but unacceptable character"),
        ("a: " + "9" * 5_000, "expected YAML, but Exceeds the limit"),
        ("{[1]: 2}", "found unhashable key in line 1"),
        ("#" * (MAX_YAML_BYTES + 1), "expected at most 1,048,576 characters"),
    ],
)
def test_yaml_that_is_not_plain_is_refused_with_its_line(text, line):
    with pytest.raises(UsageError, match=line) as caught:
        parse_yaml(text, "here")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-3", 1e-3), ("1E5", 1e5), ("-.5", -0.5), ("12", 12), ("1_000", 1000), ("0x10", 16), ("true", True), ("~", None)],
)
def test_yaml_numbers_are_read_as_people_write_them(text, value):
    found = parse_yaml(f"a: {text}", "here")["a"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["12:30:00", "2001-02-03", "2001-99-99", "1.2.3", "1e", "0x"])
def test_yaml_that_only_looks_like_a_number_is_text(text):
    assert parse_yaml(f"a: {text}", "here") == {"a": text}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1, "a": 2}', "here: expected JSON, but the key 'a' comes twice"),
        ("[" * 100_000, "here: expected JSON, but "),
        ("[" * 60 + "]" * 60, f"nested more than {MAX_DEPTH} deep"),
        ('{"a":' * 60 + "1" + "}" * 60, f"nested more than {MAX_DEPTH} deep"),
        ("[" * 10_000 + "]" * 10_000, f"nested more than {MAX_DEPTH} deep"),
        ("NaN", "NaN is no number of JSON"),
        ("[-Infinity]", "-Infinity is no number of JSON"),
        ("9" * 5_000, "Exceeds the limit"),
        ("{", "expected JSON, but Expecting property name"),
        (b"\xff\xfe\xff", "expected JSON, but "),
        ("", "expected JSON, but Expecting value"),
    ],
)
def test_json_that_is_not_plain_is_refused(text, line):
    with pytest.raises(UsageError, match=line):
        parse_json(text, "here")


def test_an_object_is_wanted_and_the_error_is_of_the_kind_asked_for():
    with pytest.raises(PlaymillError, match=r"here: expected one JSON object, got \[1\]") as caught:
        parse_object("[1]", "here", PlaymillError)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ({"inner": {"lr": float("inf")}}, "here: inner.lr: expected a finite number, got inf"),
        ({"inner": {"lr": float("nan")}}, "here: inner.lr: expected a finite number, got nan"),
        ({"inner": {"lr": True}}, "inner.lr: expected a number, got True"),
        ({"seed": True}, "seed: expected a whole number, got True"),
        ({"seed": "1"}, "seed: expected a whole number, got '1'"),
        ({"seed": 1.0}, "seed: expected a whole number, got 1.0"),
        ({"seed": -1}, "seed: expected at least 0, got -1"),
        ({"seed": 1 << 64}, "seed: expected below 18446744073709551616"),
        ({"inner": {"steps": 10**13}}, "inner.steps: expected at most 1,000,000,000,000, got 10000000000000"),
        ({"inner": {"is_on": 1}}, "inner.is_on: expected true or false, got 1"),
        ({"inner": {"stepz": 1}}, r"inner.stepz: unknown key; did you mean 'steps'\? \(known: is_on, lr, steps\)"),
        ({"iner": 1}, r"iner: unknown key; did you mean 'inner'\?"),
        ({"inner": 3}, "inner: expected a mapping, got 3"),
        ({1: 2}, "here: .*"),
        ([], "here: .*"),
        (None, "here: .*"),
    ],
)
def test_a_model_that_does_not_fit_is_one_line(content, line):
    with pytest.raises(UsageError, match=line) as caught:
        fit(Outer, "/path: here", content)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_plain_name_is_the_key_that_the_content_stands_under():
    with pytest.raises(UsageError, match=r"^train\.steps: expected at least 1, got 0$"):
        fit(Inner, "train", {"steps": 0})


def test_a_file_that_can_not_be_read_is_the_callers_mistake(tmp_path):
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9")
    for path, reason in (
        (tmp_path / "none.yaml", "No such file"),
        (tmp_path, "Is a directory"),
        (loop, "symbolic links"),
        (tmp_path / "latin.yaml", "expected UTF-8 text, but byte 6 is none"),
        (tmp_path / "a\0b", "null byte"),
        (tmp_path / ("x" * 300), "too long"),
    ):
        with pytest.raises(UsageError, match=reason):
            read_yaml(path)
    (tmp_path / "good.yaml").write_text("name: é", encoding="utf-8")
    assert read_text(tmp_path / "good.yaml") == "name: é"
