"""Pictures taken apart into shared parts come together again, in their order."""

import random

import pytest

from playmill.cli.frames import make_film

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9" font-family="X">'


def picture(letters):
    return HEAD + "<title>no part</title>" + "".join(f"<g><rect id='{letter}'/></g>" for letter in letters) + "</svg>"


def shown(film, number):
    return "".join(film.groups[i].content for i in film.groups_of(number))


def parts(letters):
    return "".join(f'<g><rect id="{letter}" /></g>' for letter in letters)


@pytest.mark.parametrize("words", [["abc", "abd", "acb"], ["aab", "aba", "b", ""], ["abc"] * 5, ["", "a"], ["ab", "ba"] * 3])
def test_every_picture_comes_back(words):
    film = make_film([picture(word) for word in words])
    assert [shown(film, i) for i in range(len(words))] == [parts(word) for word in words]


@pytest.mark.parametrize("seed", range(40))
def test_any_pictures_come_back(seed):
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdef", k=draw.randrange(9))) for _ in range(draw.randrange(1, 12))]
    film = make_film([picture(word) for word in words])
    assert [shown(film, i) for i in range(len(words))] == [parts(word) for word in words]


def test_what_stays_is_there_once():
    film = make_film([picture("abcd" + "xyz"[i % 3]) for i in range(300)])
    assert len(film.groups) == 4
    assert (film.width, film.height, film.attributes) == (9.0, 9.0, {"font-family": "X"})
