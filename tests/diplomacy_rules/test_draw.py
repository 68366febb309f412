"""The drawn map agrees with the real one, and what is drawn on it can be read."""

import itertools
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from playmill.core.errors import UnknownName
from playmill.games.diplomacy.draw import DrawnOrder, Position, draw_svg
from playmill.games.diplomacy.draw_marks import POWERS, UNIT, arrow
from playmill.games.diplomacy.draw_orders import DRAWERS
from playmill.games.diplomacy.draw_shapes import EDGE, IMPASSABLE, load_shapes
from playmill.games.diplomacy.draw_sheet import MapSheet

# Who touches whom, each province with all its neighbours. The drawing needs no exceptions: where two provinces meet over
# a strait (den and swe) they share an edge that is painted as water, and con lies on both sides of its strait as one area,
# so bla and aeg, or ska and bal, are kept apart as the rules want.
NEIGHBOURS = """
boh: gal mun sil tyr vie
bud: gal rum ser tri vie
bur: bel gas mar mun par pic ruh
gal: boh bud rum sil ukr vie war
mos: lvn sev stp ukr war
mun: ber boh bur kie ruh sil tyr
par: bre bur gas pic
ruh: bel bur hol kie mun
ser: alb bud bul gre rum tri
sil: ber boh gal mun pru war
tyr: boh mun pie tri ven vie
ukr: gal mos rum sev war
vie: boh bud gal tri tyr
war: gal lvn mos pru sil ukr
alb: adr gre ion ser tri
ank: arm bla con smy
apu: adr ion nap rom ven
arm: ank bla sev smy syr
bel: bur eng hol nth pic ruh
ber: bal kie mun pru sil
bre: eng gas mao par pic
bul: aeg bla con gre rum ser
cly: edi lvp nao nrg
con: aeg ank bla bul smy
den: bal hel kie nth ska swe
edi: cly lvp nrg nth yor
fin: bot nwy stp swe
gas: bre bur mao mar par spa
gre: aeg alb bul ion ser
hol: bel hel kie nth ruh
kie: bal ber den hel hol mun ruh
lon: eng nth wal yor
lvn: bal bot mos pru stp war
lvp: cly edi iri nao wal yor
mar: bur gas gol pie spa
naf: mao tun wes
nap: apu ion rom tys
nwy: bar fin nrg nth ska stp swe
pic: bel bre bur eng par
pie: gol mar tus tyr ven
por: mao spa
pru: bal ber lvn sil war
rom: apu nap tus tys ven
rum: bla bud bul gal ser sev ukr
sev: arm bla mos rum ukr
smy: aeg ank arm con eas syr
spa: gas gol mao mar por wes
stp: bar bot fin lvn mos nwy
swe: bal bot den fin nwy ska
syr: arm eas smy
tri: adr alb bud ser tyr ven vie
tun: ion naf tys wes
tus: gol pie rom tys ven
ven: adr apu pie rom tri tus tyr
wal: eng iri lon lvp yor
yor: edi lon lvp nth wal
adr: alb apu ion tri ven
aeg: bul con eas gre ion smy
bal: ber bot den kie lvn pru swe
bar: nrg nwy stp
bla: ank arm bul con rum sev
bot: bal fin lvn stp swe
eas: aeg ion smy syr
eng: bel bre iri lon mao nth pic wal
gol: mar pie spa tus tys wes
hel: den hol kie nth
ion: adr aeg alb apu eas gre nap tun tys
iri: eng lvp mao nao wal
mao: bre eng gas iri naf nao por spa wes
nao: cly iri lvp mao nrg
nrg: bar cly edi nao nth nwy
nth: bel den edi eng hel hol lon nrg nwy ska yor
ska: den nth nwy swe
tys: gol ion nap rom tun tus wes
wes: gol mao naf spa tun tys
"""
START = (
    "Aabud,Aftri,Aavie,Efedi,Eflon,Ealvp,Ffbre,Famar,Fapar,Gaber,Gfkie,Gamun,Ifnap,Iarom,Iaven,Ramos,Rfsev,Rfstp/sc,Rawar,"
    "Tfank,Tacon,Tasmy"
)
HOME = (
    "Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,Tank,Tcon,Tsmy,"
    "Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,Nspa,Nswe,Ntun"
)
LABEL = (15, 6)  # half the width and height of three letters
SVG = "{http://www.w3.org/2000/svg}"

SHAPES = load_shapes()
AREAS = [*SHAPES.places, IMPASSABLE]
TABLE = {line[:3]: set(line[5:].split()) for line in NEIGHBOURS.strip().splitlines()}


def start(caption=""):
    units = {word[2:]: (word[0], word[1]) for word in START.split(",")}
    return Position(units, {}, {word[1:]: word[0] for word in HOME.split(",")}, caption)


def edges(ring):
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def is_inside(spot, ring):
    """Whether a ray to the right leaves the ring an odd number of times."""
    x, y = spot
    hits = [(ax + (bx - ax) * (y - ay) / (by - ay)) > x for (ax, ay), (bx, by) in edges(ring) if (ay > y) != (by > y)]
    return sum(hits) % 2 == 1


def flat(border):
    """The border as it is drawn: its curves, cut into short straight pieces."""
    if border.is_straight or len(border.points) == 2:
        return list(border.points)
    points = [np.array(point) for point in border.points]
    bends = points[1:-1]
    stops = [points[0], *((a + b) / 2 for a, b in itertools.pairwise(bends)), points[-1]]
    line = [points[0]]
    for bend, (a, b) in zip(bends, itertools.pairwise(stops), strict=True):
        line += [(1 - t) ** 2 * a + 2 * t * (1 - t) * bend + t * t * b for t in (1 / 3, 2 / 3, 1.0)]
    return [(float(x), float(y)) for x, y in line]


def drawn_ring(area):
    """The area's outline as it is drawn."""
    return [point for border in SHAPES.chain(area) for point in flat(border)[:-1]]


def area_of(ring):
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges(ring))) / 2


def draw(orders=(), position=None, **options):
    return ElementTree.fromstring(draw_svg(position or start(), orders, **options))


def group(root, name):
    return next((g for g in root.iter(f"{SVG}g") if g.get("class") == name), None)


def test_every_province_is_there():
    assert set(SHAPES.places) == set(TABLE)
    assert len(SHAPES.places) == 75
    assert len(SHAPES.seas) == 19
    assert sum(here.centre is not None for here in SHAPES.places.values()) == 34
    assert len(SHAPES.locations()) == 81


def test_the_table_of_neighbours_is_symmetric():
    assert all(name in TABLE[other] for name, others in TABLE.items() for other in others)


@pytest.mark.parametrize("area", AREAS)
def test_borders_close_to_a_ring(area):
    chain = SHAPES.chain(area)
    assert chain[-1].ends[1] == chain[0].ends[0]
    assert len(set(SHAPES.ring(area))) == len(SHAPES.ring(area))


def test_every_edge_has_one_area_on_each_side():
    owners = {}
    for area in AREAS:
        for a, b in edges(SHAPES.ring(area)):
            owners.setdefault(frozenset({a, b}), []).append(area)
    rims = {frozenset(pair) for b in SHAPES.borders if EDGE in b.areas for pair in itertools.pairwise(b.points)}
    assert all(len(areas) == (1 if edge in rims else 2) for edge, areas in owners.items())


def test_the_areas_fill_the_sheet():
    width, height = SHAPES.size
    assert sum(area_of(SHAPES.ring(area)) for area in AREAS) == pytest.approx(width * height)
    assert sum(area_of(drawn_ring(area)) for area in AREAS) == pytest.approx(width * height)


def crossings(pieces):
    """The pairs of straight pieces that cut each other, not counting those that only meet."""
    a, b = pieces[:, None, 0], pieces[:, None, 1]
    c, d = pieces[None, :, 0], pieces[None, :, 1]

    def side(p, q, r):
        return np.sign(np.round((q - p)[..., 0] * (r - p)[..., 1] - (q - p)[..., 1] * (r - p)[..., 0], 6))

    return np.argwhere((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))


def test_no_two_drawn_borders_cross():
    """With the areas' sum above, this means that no two provinces overlap."""
    pieces = [(border.areas, piece) for border in SHAPES.borders for piece in itertools.pairwise(flat(border))]
    found = crossings(np.array([piece for _, piece in pieces]))
    assert [(pieces[i], pieces[j]) for i, j in found if i < j] == []


@pytest.mark.parametrize("name", TABLE)
def test_a_province_touches_its_neighbours_and_nobody_else(name):
    touched = {area for border in SHAPES.chain(name) for area in border.areas} - {name, EDGE, IMPASSABLE}
    assert touched == TABLE[name]


@pytest.mark.parametrize("name", TABLE)
def test_spots_lie_inside_the_province(name):
    here, ring = SHAPES.places[name], drawn_ring(name)
    spots = [here.label, here.unit, here.retreat, *here.coasts.values(), *([here.centre] if here.centre else [])]
    assert all(is_inside(spot, ring) for spot in spots)


@pytest.mark.parametrize("name", TABLE)
def test_units_hide_neither_labels_nor_centres(name):
    here = SHAPES.places[name]
    for x, y in (here.unit, *here.coasts.values()):
        gap = np.hypot(max(abs(x - here.label[0]) - LABEL[0], 0), max(abs(y - here.label[1]) - LABEL[1], 0))
        assert gap > UNIT
        assert here.centre is None or np.hypot(x - here.centre[0], y - here.centre[1]) > UNIT + 4


def test_units_of_different_provinces_stand_apart():
    spots = [(location[:3], SHAPES.spot(location)) for location in SHAPES.locations()]
    pairs = ((p, q) for (one, p), (other, q) in itertools.combinations(spots, 2) if one != other)
    assert min(np.hypot(p[0] - q[0], p[1] - q[1]) for p, q in pairs) > 2 * UNIT


def test_no_two_units_overlap():
    """A fleet is 35 wide and 21 high; F ska and F den once lay on each other."""
    spots = [(location[:3], SHAPES.spot(location)) for location in SHAPES.locations()]
    pairs = [(one, other, p, q) for (one, p), (other, q) in itertools.combinations(spots, 2) if one != other]
    assert [(a, b) for a, b, p, q in pairs if abs(p[0] - q[0]) < 36 and abs(p[1] - q[1]) < 22] == []
    assert np.hypot(*np.subtract(SHAPES.spot("ska"), SHAPES.spot("den"))) > 55


def test_coasts_are_named():
    names = [text.text for text in group(draw(), "coasts")]
    assert sorted(names) == ["ec", "nc", "nc", "sc", "sc", "sc"]
    for name in ("bul", "spa", "stp"):
        here = SHAPES.places[name]
        assert set(here.coast_labels) == set(here.coasts)
        assert all(is_inside(spot, drawn_ring(name)) for spot in here.coast_labels.values())


def test_the_names_are_the_maps():
    from playmill.games.diplomacy.geography import NAMES, PROVINCES

    assert {name: here.name for name, here in SHAPES.places.items()} == dict(zip(PROVINCES, NAMES, strict=True))


def test_a_dislodged_unit_leaves_the_other_in_sight():
    gaps = [np.hypot(here.unit[0] - here.retreat[0], here.unit[1] - here.retreat[1]) for here in SHAPES.places.values()]
    assert min(gaps) > 1.4 * UNIT


def test_start_position_shows_22_units_and_34_centres():
    root = draw()
    assert len(group(root, "units").findall(f".//{SVG}text")) == 22
    assert len(group(root, "centres")) == 34
    counts = [span.text for span in group(root, "legend").iter(f"{SVG}tspan")]
    assert counts == ["3", "3", "3", "3", "3", "4", "3", "12"]


def test_armies_and_fleets_differ_in_shape():
    units = group(draw(), "units")
    assert len(units.findall(f".//{SVG}circle")) == 13
    assert len(units.findall(f".//{SVG}path")) == 9


def test_provinces_say_who_they_are():
    titles = {title.text for title in draw().iter(f"{SVG}title")}
    assert {"Paris (par), France", "North Sea (nth)", "Belgium (bel), neutral", "Switzerland, impassable"} <= titles


def test_the_same_input_gives_the_same_bytes():
    orders = [DrawnOrder("move", "par", target="bur"), DrawnOrder("support_move", "mar", "par", "bur")]
    assert draw_svg(start(), orders, title="x") == draw_svg(start(), orders, title="x")


def test_words_are_escaped():
    text = draw_svg(start("<b> & 'c'"), title='A < B & "C"')
    root = ElementTree.fromstring(text)
    words = {node.text for node in root.iter(f"{SVG}text")}
    assert {'A < B & "C"', "<b> & 'c'"} <= words
    assert root.find(f"{SVG}title").text == 'A < B & "C"'


def test_width_sets_the_size_in_pixels():
    root = draw(width=400, title="x")
    assert (root.get("width"), root.get("height")) == ("400", "340")


def test_nothing_is_fetched_from_outside():
    text = draw_svg(start("c"), title="t")
    assert text.count("http") == 1  # the name of SVG itself
    assert "<script" not in text


def orders_of_all_kinds(ok):
    return {
        "hold": DrawnOrder("hold", "vie", ok=ok),
        "move": DrawnOrder("move", "stp/sc", target="bot", ok=ok),
        "support_hold": DrawnOrder("support_hold", "bud", "vie", ok=ok),
        "support_move": DrawnOrder("support_move", "mun", "par", "bur", ok=ok),
        "convoy": DrawnOrder("convoy", "lon", "lvp", "bel", ok=ok),
        "retreat": DrawnOrder("retreat", "war", target="gal", ok=ok),
        "disband": DrawnOrder("disband", "war", ok=ok),
        "remove": DrawnOrder("remove", "ber", ok=ok),
        "build": DrawnOrder("build", "stp/nc", unit="f", ok=ok),
    }


@pytest.mark.parametrize("ok", [True, False])
@pytest.mark.parametrize("kind", DRAWERS)
def test_every_kind_of_order_is_drawn(kind, ok):
    position = Position(start().units, {"war": ("A", "a")}, start().centres)
    root = draw([orders_of_all_kinds(ok)[kind]], position)
    drawn = group(root, "signs" if kind in ("disband", "remove", "build") else "orders")
    assert ("failed" in drawn.find(f".//{SVG}title").text) is not ok
    assert (drawn[0].get("stroke") == "#e4002b") is not ok


def test_a_beaten_units_order_has_its_own_power_colour():
    position = Position(start().units, {"war": ("A", "a")}, start().centres)
    root = draw([DrawnOrder("retreat", "war", target="gal")], position)
    assert group(root, "orders")[0].get("stroke") == POWERS["A"].line


def test_support_points_at_the_middle_of_the_move():
    move, support = DrawnOrder("move", "stp", target="bot"), DrawnOrder("support_move", "mos", "stp/sc", "bot")
    sheet = MapSheet(SHAPES, start(), [move, support])
    assert sheet.named_route(support) == sheet.route(move)
    assert sheet.route(move).start != arrow(SHAPES.spot("stp"), SHAPES.spot("bot")).start  # the fleet is on the coast


def test_units_that_swap_get_two_arrows():
    there, back = arrow((0, 0), (100, 0)), arrow((100, 0), (0, 0))
    assert abs(there.middle[1] - back.middle[1]) > 6


@pytest.mark.parametrize(
    ("orders", "position", "words"),
    [
        ([DrawnOrder("moove", "par", target="bur")], None, "moove.*'move'"),
        ([DrawnOrder("move", "par", target="brr")], None, "brr"),
        ([DrawnOrder("move", "par", target="spa/wc")], None, "spa/wc"),
        ([DrawnOrder("build", "bel", unit="a")], None, "power 'N'"),
        ([], Position({"xyz": ("F", "a")}, {}, {}), "xyz"),
        ([], Position({"par": ("X", "a")}, {}, {}), "X"),
        ([], Position({"par": ("F", "w")}, {}, {}), "w"),
    ],
)
def test_unknown_names_are_named(orders, position, words):
    with pytest.raises(UnknownName, match=words):
        draw_svg(position or start(), orders)


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(light):
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(light, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# How linear light looks without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.052]]),
    "deuteranopia": np.array([[0.3673, 0.8606, -0.228], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "tritanopia": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


@pytest.mark.parametrize("eyes", EYES)
def test_powers_stay_apart_for_colour_blind_eyes(eyes):
    """Measured as distance in Lab, where about 2 is just visible."""
    for colours in ([p.tint for p in POWERS.values()], [p.unit for p in POWERS.values()]):
        seen = [lab(EYES[eyes] @ linear(colour)) for colour in colours]
        assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 9


@pytest.mark.parametrize("letter", POWERS)
def test_letters_on_units_stand_out(letter):
    """A contrast of 3 is what WCAG asks of large and bold letters."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    dark, light = sorted(float(weights @ linear(c)) for c in (POWERS[letter].unit, POWERS[letter].letter))
    assert (light + 0.05) / (dark + 0.05) > 3
