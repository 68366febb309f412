"""Records that were never played: quick to make, for what needs no rules."""

from playmill.packs.diplomacy.selfplay.records import GameRecord, PhaseRecord, Quality, powers_dict
from playmill.packs.diplomacy.selfplay.settings import make_settings

START = (
    "1901sm/Aabud,Aftri,Aavie,Efedi,Eflon,Ealvp,Ffbre,Famar,Fapar,Gaber,Gfkie,Gamun,Ifnap,Iarom,Iaven,Ramos,Rfsev,Rfstp.sc,"
    "Rawar,Tfank,Tacon,Tasmy/Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,"
    "Tank,Tcon,Tsmy,Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,Nspa,Nswe,Ntun/-"
)
COUNTS = powers_dict([3, 3, 3, 3, 3, 4, 3])
SETTINGS = make_settings(seed=7, player="heuristic")


def phase(**changes):
    values = {
        "dfen": START,
        "year": 1901,
        "season": "spring",
        "phase": "movement",
        "orders": {"france": "A par - bur ; F bre H"},
        "advised": {"france": "A par - pic ; F bre H"},
        "values": powers_dict([1 / 7] * 7),
        "sc_counts": COUNTS,
    }
    return PhaseRecord(**{**values, **changes})


def game(number=0, rejected=False, settings=SETTINGS):
    """A record that can be written and read; its single phase leads nowhere."""
    return GameRecord(
        game_id=number,
        seed=number,
        reproducible=True,
        winner=None,
        ended_by="max_year",
        final_year=1901,
        final_sc_counts=COUNTS,
        final_dfen=START,
        quality=Quality(stalemate=False, early_stalemate=rejected, early_domination=False),
        settings=settings.as_json(),
        phases=[phase()],
    )
