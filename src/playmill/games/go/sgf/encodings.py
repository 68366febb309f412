"""The text of an SGF file, whatever it was written in.

In this order: a byte order mark; the CA property, if it decodes strictly; UTF-8; then whichever of GB18030, Shift-JIS, EUC-KR
and Latin-1 makes the text most probable. Text is decoded before anything is parsed, since the second byte of a character can be
`\\` or `]`. A character that a cut file ends in the middle of is left out.

The probabilities are coarse on purpose: how often a character is one of the frequent ones, of the standard's common ones, or
rare. A record has only names and a result to judge by; six characters suffice where general detectors want hundreds (on
fifteen such lines charset-normalizer 3.5 took all five Chinese ones for Korean).
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
# Supersets that real files use under the narrower name.
WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "ascii": "utf-8", "iso8859-1": "latin-1",
}  # fmt: skip
TEXT_CODECS = ("utf-8", "gb", "hz", "shift_jis", "cp", "euc_", "iso2022_", "iso8859", "johab", "big5", "koi8", "tis", "ascii")
NAMES = {"cp932": "shift_jis", "cp949": "euc_kr"}  # as reports have them
CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_:.+ -]{1,40}?)\s*\]")
SEARCHED = 4096  # bytes at the beginning in which CA is looked for
CONTROLS = re.compile("[\x80-\x9f]")  # no text in Latin-1 has them
WIDE = re.compile("[^\x00-\x7f]")


@dataclass(frozen=True)
class Decoded:
    """A text, the encoding it was in, and whether that was only the last resort."""

    text: str
    encoding: str
    is_guess: bool = False


def decode(data: bytes) -> Decoded:
    """The text of the bytes; there always is one."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            text = _decoded(data[len(mark) :], encoding)
            if text is not None:
                return Decoded(text, encoding)
    for name in (_named(data) or "utf-8", "utf-8"):
        text = _decoded(data, name)
        if text is not None:
            return Decoded(text, NAMES.get(name, name))
    return _most_probable(data)


def _named(data: bytes) -> str | None:
    """The encoding that CA names, if Python knows it as one of texts."""
    found = CHARSET.search(data[:SEARCHED])
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii").replace(" ", "-")).name
    except LookupError:
        return None
    return WIDER.get(name, name) if name.startswith(TEXT_CODECS) else None


def _decoded(data: bytes, encoding: str) -> str | None:
    """The text, None if it is not strictly that; bytes that begin a character and end the data are left out."""
    try:
        text: str = codecs.getincrementaldecoder(encoding)("strict").decode(data, final=False)
    except UnicodeError:
        return None
    return None if encoding in ("latin-1", "cp1252") and CONTROLS.search(text) else text


# ------------------------------------------------------------------ by score

# The characters that names, results and remarks are most often made of.
CHINESE = (
    "的一是不了在人有我他这个中来上大为和国地到以说时要就出会可也你对生能下自年过后作里用行所然事成方多法学如都同没起看定天分进好小主样心本前开"
    "但因只从想黑白棋围段胜目盘半子贴负局手赛杯届第业余职级甲联初九八七六五四三二十王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗郑梁谢宋唐许邓"
    "韩曹彭蔡潘田董袁叶蒋杜苏魏程丁沈任姚卢钟姜崔谭范汪陆金石夏孟江龙史陶顾毛邵聂卫平古力常昊柯洁世名战决"
)  # fmt: skip
JAPANESE = (
    "日一人年大十二本中長出三時行見月分後前生五間上東四今金九入高子外八六下小七山女北先名川千水半男西白黒手目押勝負段戦期局第因坊棋聖王座天元碁"
    "盤村田井藤木林森石橋佐伊加松竹岡野原島宮杉内沢吉池渡辺依結城張栩羽根直樹趙治勲武正坂栄秀哲郎夫雄之彦裕太敬吾初持込"
)  # fmt: skip
KOREAN = (
    "이다에의는로하을가고지서한은기으년대사시를리도인스일흑백돌승집단불계반배국회전제번김박최정강조윤장임오신권황안송류홍유양손허남심노곽성차주"
    "우구민진재영호석현준수훈창동철환상원용세경목삼공건삼성농"
)  # fmt: skip
PLAIN = math.log(1 / 30)  # an ASCII character, in any of them


def _most_probable(data: bytes) -> Decoded:
    best, best_score = Decoded(data.decode("latin-1"), "latin-1", is_guess=True), _latin_score(data)
    for encoding, chance in (("gb18030", _chinese), ("cp932", _japanese), ("cp949", _korean)):
        text = _decoded(data, encoding)
        if text is None:
            continue
        score = _score(text, chance)
        if score > best_score:
            best, best_score = Decoded(text, NAMES.get(encoding, encoding)), score
    return best


def _score(text: str, chance: Callable[[str], float]) -> float:
    """The logarithm of the text's probability."""
    wide = WIDE.findall(text)
    return PLAIN * (len(text) - len(wide)) + sum(chance(character) for character in wide)


def _latin_score(data: bytes) -> float:
    """The same for Latin-1, where accented letters stand alone among plain ones."""
    text = data.decode("latin-1")
    score, last = PLAIN * (len(text) - len(WIDE.findall(text))), -2
    for at, character in _wide_places(text):
        score += math.log(0.1 / 40 if character > "\xbf" else 0.002 / 64 if character > "\x9f" else 1e-9)
        score += math.log(0.02) if at == last + 1 else 0.0
        last = at
    return score


def _wide_places(text: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found[0]) for found in WIDE.finditer(text))


@cache
def _chinese(character: str) -> float:
    if character in CHINESE:
        return math.log(0.45 / len(CHINESE))
    lead = _lead(character, "gb2312")
    if lead >= 0xB0:
        return math.log(0.45 / 3755 if lead <= 0xD7 else 0.04 / 3008)
    return math.log(0.04 / 100 if lead in (0xA1, 0xA3) else 1e-7)


@cache
def _japanese(character: str) -> float:
    if "\u3041" <= character <= "\u30fe":
        return math.log(0.35 / 170)
    if character in JAPANESE:
        return math.log(0.3 / len(JAPANESE))
    lead = _lead(character, "shift_jis")
    if 0xA1 <= lead <= 0xDF:
        return math.log(0.002 / 63)  # half-width katakana: any byte from A1 to DF is one
    if lead >= 0x88:
        return math.log(0.28 / 2965 if lead <= 0x97 else 0.02 / 3390)
    return math.log(0.03 / 100 if lead in (0x81, 0x82) else 1e-7)


@cache
def _korean(character: str) -> float:
    if character in KOREAN:
        return math.log(0.5 / len(KOREAN))
    lead = _lead(character, "euc_kr")
    if 0xB0 <= lead <= 0xC8:
        return math.log(0.42 / 2350)
    if lead >= 0xCA:
        return math.log(0.02 / 4888)
    return math.log(0.03 / 100 if lead in (0xA1, 0xA3) else 1e-7)


def _lead(character: str, standard: str) -> int:
    """The first byte of a character in the narrow standard; 0 if it is not in it."""
    try:
        return character.encode(standard)[0]
    except UnicodeEncodeError:
        return 0
