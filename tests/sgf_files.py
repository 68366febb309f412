"""Broken game records, each with what the cleaner must make of it."""

from __future__ import annotations

from dataclasses import dataclass, field

MOVES = ";B[pd];W[dd];B[pq];W[dp]"


@dataclass(frozen=True)
class Case:
    """A file: its bytes; then either the repairs and the moves of its games, or why it is refused."""

    name: str
    data: bytes
    repairs: set[str] = field(default_factory=set)  # of the file and of its games, together
    moves: tuple[int, ...] = (4,)
    encoding: str = "utf-8"
    reason: str | None = None
    has: str = ""  # what the cleaned file must say


def _case(name: str, text: str, *repairs: str, **more: object) -> Case:
    return Case(name, text.encode(), set(repairs), **more)  # type: ignore[arg-type]


def _in(name: str, encoding: str, words: str, data: bytes, *repairs: str) -> Case:
    return Case(name, data, set(repairs), encoding=encoding, has=words)


def _named(words: str) -> str:
    return f"(;GM[1]SZ[19]PB[{words}]RE[B+R]{MOVES})"


ENCODINGS = [
    _in("utf8", "utf-8", "柯洁", _named("柯洁").encode()),
    _in("utf8_bom", "utf-8", "柯洁", b"\xef\xbb\xbf" + _named("柯洁").encode()),
    _in("utf16_bom", "utf-16-le", "柯洁", b"\xff\xfe" + _named("柯洁").encode("utf-16-le")),
    _in("utf16be_bom", "utf-16-be", "柯洁", b"\xfe\xff" + _named("柯洁").encode("utf-16-be")),
    _in("gb18030", "gb18030", "柯洁", _named("柯洁").encode("gb18030")),
    _in("gb18030_result", "gb18030", "黑中盘胜", _named("黑中盘胜").encode("gb18030")),
    _in("shift_jis", "shift_jis", "本因坊秀策", _named("本因坊秀策").encode("shift_jis")),
    _in("shift_jis_backslash", "shift_jis", "表十ソ", _named("表十ソ").encode("shift_jis")),  # second bytes are backslashes
    _in("euc_kr", "euc_kr", "이창호", _named("이창호").encode("euc_kr")),
    _in("latin_1", "latin-1", "Jörg Müller", _named("Jörg Müller").encode("latin-1"), "latin_1_guess"),
    _in("latin_1_before_bracket", "latin-1", "René", _named("René").encode("latin-1"), "latin_1_guess"),
    _in("ca_gb2312", "gb18030", "古力", _named("古力]CA[gb2312").encode("gb18030")),
    _in("ca_shift_jis", "shift_jis", "ソ", _named("ソ]CA[Shift_JIS").encode("shift_jis")),
    _in("ca_euc_kr", "euc_kr", "이", _named("이]CA[EUC-KR").encode("euc_kr")),
    _in("ca_latin_1", "latin-1", "é", _named("é]CA[ISO-8859-1").encode("latin-1")),
    _in("ca_big5", "big5", "林海峰", _named("林海峰]CA[Big5").encode("big5")),
    _in("ca_lies", "gb18030", "聂卫平", _named("聂卫平]CA[UTF-8").encode("gb18030")),
    _in("ca_nonsense", "utf-8", "柯洁", _named("柯洁]CA[klingon").encode()),
    _in("ca_no_text_codec", "utf-8", "柯洁", _named("柯洁]CA[zlib").encode()),
    _in(
        "cut_in_a_character",
        "utf-8",
        "柯",
        f"(;GM[1]SZ[19]PB[柯]{MOVES}C[古".encode()[:-1],
        "missing_bracket",
        "missing_parenthesis",
        "comments",
    ),
]

ROOT = "(;GM[1]SZ[19]KM[6.5]"


def _spread(columns: str, rows: str) -> str:
    """Moves on every point of these columns and rows."""
    points = [column + row for row in rows for column in columns]
    return "".join(f";{'BW'[turn % 2]}[{point}]" for turn, point in enumerate(points))


REPAIRED = [
    _case("fine", f"{ROOT}{MOVES})"),
    _case("no_closing", f"{ROOT}{MOVES}", "missing_parenthesis"),
    _case("no_opening", f";GM[1]SZ[19]{MOVES}", "missing_parenthesis"),
    _case("cut_in_a_move", f"{ROOT}{MOVES};B[q", "missing_bracket", "missing_parenthesis"),
    _case("cut_before_a_move", f"{ROOT}{MOVES};B[", "missing_bracket", "missing_parenthesis"),
    _case("cut_in_a_comment", f"{ROOT}{MOVES}C[Tom: hi", "missing_bracket", "missing_parenthesis", "comments"),
    _case("bracket_of_a_move", f"{ROOT};B[pd;W[dd];B[pq];W[dp])", "missing_bracket"),
    _case("bracket_of_a_name", f"(;GM[1]SZ[19]PB[Tom{MOVES})", "missing_bracket", has="PB[Tom]"),
    _case("bracket_of_a_line", f"(;GM[1]\nPB[Tom\nSZ[19]\n{MOVES})", "missing_bracket", has="PB[Tom]"),
    _case("bracket_of_a_comment", f"{ROOT};B[pd]C[nice;W[dd];B[pq];W[dp])", "missing_bracket", "comments"),
    _case("closed_early", f"{ROOT};B[pd]);W[dd];B[pq];W[dp])", "extra_parenthesis"),
    _case("no_semicolon", f"(GM[1]SZ[19]{MOVES})", "missing_semicolon"),
    _case("rank_in_a_name", f"(;GM[1]SZ[19]PB[Tom [3d]]{MOVES})", "unescaped_bracket", has="PB[Tom [3d\\]]"),
    _case(
        "chat", f"{ROOT};B[pd]C[Tom [3k]: hi\nAnn [2d]: (yes) [sic] ;-)\n];W[dd];B[pq];W[dp])", "unescaped_bracket", "comments"
    ),
    _case("comments", f"(;GM[1]SZ[19]GC[a]C[b]{MOVES}N[c])", "comments"),
    _case("small_letters", f"(;gm[1]sz[19]pb[Tom]{MOVES.lower()})", "property_name", has="PB[Tom]"),
    _case(
        "long_names",
        "(;GaMe[1]SiZe[19]PlayerBlack[Tom]AddBlack[aa];Black[pd];White[dd])",
        "property_name",
        moves=(2,),
        has="AB[aa]",
    ),
    _case("whole_words", f"(;GAME[1]SIZE[19]KOMI[6.5]RESULT[W+R]{MOVES})", "property_name", has="KM[6.5]"),
    _case("junk_before", f"From: tom\nSubject: (my game)\n\n{ROOT}{MOVES})", "junk_before"),
    _case("junk_inside", f"{ROOT} what? {MOVES} oh! )", "junk_inside"),
    _case("control_characters", f"{ROOT}\x00\x1a{MOVES})", "control_characters"),
    _case("hundredths_of_stones", f"(;SZ[19]KM[375]{MOVES})", "komi_units", has="KM[7.5]"),
    _case("hundredths_750", f"(;SZ[19]KM[750]{MOVES})", "komi_units", has="KM[7.5]"),
    _case("hundredths_650", f"(;SZ[19]KM[650]{MOVES})", "komi_units", has="KM[6.5]"),
    _case("stones", f"(;SZ[19]KM[2.75]{MOVES})", "komi_units", has="KM[5.5]"),
    _case("tenths", f"(;SZ[19]KM[65]{MOVES})", "komi_units", has="KM[6.5]"),
    _case("comma_and_words", f"(;SZ[19]KM[5,5 points]{MOVES})", "komi_units", has="KM[5.5]"),
    _case("half", f"(;SZ[19]KM[5½]{MOVES})", "komi_units", has="KM[5.5]"),
    _case("komi_nonsense", f"(;SZ[19]KM[reverse]{MOVES})", "komi_dropped"),
    _case("no_size", f"(;GM[1]{MOVES})", "size_missing", has="SZ[19]"),
    _case("size_by_moves", f"(;GM[1]{_spread('acegi', 'acegi')})", "size_missing", moves=(25,), has="SZ[9]"),
    _case("square_size", f"(;GM[1]SZ[19:19]{MOVES})", has="SZ[19]"),
    _case("setup_after_root", f"{ROOT};AB[aa][bb]PL[W];AW[cc]{MOVES})", "setup_after_root", has="AB[aa][bb]AW[cc]"),
    _case("setup_over_setup", f"{ROOT}AB[aa:ac];AE[ab];{MOVES})", "setup_after_root", has="AB[aa][ac]CA"),
    _case("setup_in_game", f"{ROOT}{MOVES};AB[aa]AE[pd];B[cc])", "split_at_setup", moves=(4, 1)),
    _case("move_in_root", "(;GM[1]SZ[19]B[pd];W[dd];B[pq];W[dp])", "move_apart"),
    _case("two_in_a_node", "(;GM[1]SZ[19];B[pd]W[dd];B[pq]W[dp])", "move_apart"),
    _case("info_late", f"(;GM[1]{MOVES}SZ[19]PB[Tom])", "info_after_root", has="PB[Tom]"),
    _case("capitals", "(;SZ[19];B[PD];W[DD];B[PQ];W[DP])", "point_capitals"),
    _case("old_pass", f"(;FF[3]SZ[19]{MOVES};B[tt];W[])", moves=(6,), has="B[]"),
    _case("several", f"{ROOT}{MOVES})\n\n{ROOT};B[aa])", "several_games", moves=(4, 1)),
    _case("bad_mark", f"{ROOT}{MOVES}TR[zz][aa])", "markup_dropped", has="TR[aa]"),
    _case("bad_variation", f"{ROOT};B[pd](;W[dd];B[pq];W[dp])(;W[pd];B[aa])(;W[cc]))", "variation_dropped", has="(;W[cc])"),
    _case("own_ko_filled", f"{ROOT};B[ab];W[bb];B[ba];W[cc];B[dd];W[bb])", "stone_repeated", moves=(5,)),
    _case("end_cut", f"{ROOT}{_spread('acegikmoqs', 'ace')};W[aa])", "end_cut", moves=(30,)),
    _case("suicide_by_rule", "(;SZ[19]RU[NZ];B[ab];W[aa];B[ca];W[];B[bb];W[ba])", moves=(6,)),
]

REJECTED = [
    _case("empty", "", reason="empty"),
    _case("blank", " \n\t", reason="empty"),
    _case("no_game", "Dear Tom, here is nothing.", reason="not_sgf"),
    _case("chess", "(;GM[3];B[aa])", reason="other_game"),
    _case("too_wide", "(;GM[1]SZ[37];B[aa])", reason="board_size"),
    _case("rectangle", "(;GM[1]SZ[19:13];B[aa])", reason="board_size"),
    _case("one_line", "(;GM[1]SZ[1];B[aa])", reason="board_size"),
    _case("off_the_board", "(;GM[1]SZ[9];B[pd])", reason="bad_point"),
    _case("no_point", "(;GM[1]SZ[19];B[a1];W[dd])", reason="bad_point"),
    _case("setup_off_the_board", "(;GM[1]SZ[9]AB[zz];B[aa])", reason="bad_point"),
    _case("two_stones", "(;GM[1]SZ[9]AB[aa]AW[aa];B[bb])", reason="bad_setup"),
    _case("no_liberty", "(;GM[1]SZ[9]AB[aa]AW[ab][ba];B[cc])", reason="bad_setup"),
    _case("on_a_stone", "(;GM[1]SZ[9];B[aa];W[aa];B[bb])", reason="illegal_move"),
    _case("suicide", "(;GM[1]SZ[9];B[ab];W[cc];B[ba];W[aa])", reason="illegal_move"),
    _case("ko", "(;GM[1]SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])", reason="illegal_move"),
    _case("nothing", "(;GM[1]SZ[19]PB[Tom])", reason="no_moves"),
]

ALL = [*ENCODINGS, *REPAIRED, *REJECTED]
