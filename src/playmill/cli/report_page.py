"""The report's page: its frame and its looks. Nothing is fetched and no script runs."""

from __future__ import annotations

from html import escape

STYLE = """
:root { color-scheme: light dark;
  --paper: #f7f6f2; --card: #ffffff; --ink: #1d1c1a; --soft: #6b675f; --grid: #e9e6df; --edge: #e2ded5;
  --a: #0f766e; --b: #b45309; --c: #4f46e5; --d: #9d174d; --good: #15803d;
  --e: #0369a1; --f: #4d7c0f; --g: #7e22ce; --h: #57534e; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #13151a; --card: #1b1e25; --ink: #eceae5; --soft: #9c988f; --grid: #2a2e37; --edge: #2a2e37;
  --a: #5eead4; --b: #fbbf24; --c: #a5b4fc; --d: #f9a8d4; --good: #4ade80;
  --e: #7dd3fc; --f: #bef264; --g: #d8b4fe; --h: #d6d3d1; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 36px 20px 48px; }
header { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; margin-bottom: 20px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0; letter-spacing: -0.02em; }
header p { margin: 0; color: var(--soft); }
.badge { font-size: 12px; padding: 2px 10px; border-radius: 99px; border: 1px solid var(--edge); color: var(--soft); }
.badge.done { color: var(--good); border-color: currentColor; }
h2 { font-size: 16px; margin: 0; }
.note { margin: 0 0 8px; color: var(--soft); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 14px; margin-bottom: 14px; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(430px, 100%), 1fr)); gap: 14px;
  margin-bottom: 14px; }
.small { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(230px, 100%), 1fr)); gap: 6px 18px; }
.card, .tile { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 16px 18px; min-width: 0; }
.wide { margin-bottom: 14px; }
.tile b { display: block; font-size: 25px; line-height: 1.25; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
h3 { font-size: 13px; font-weight: 600; margin: 6px 0 0; color: var(--soft); }
svg.chart { display: block; width: 100%; height: auto; font-size: 12px; }
.pair svg.chart { max-width: 640px; }
.tone-a { --tone: var(--a); } .tone-b { --tone: var(--b); } .tone-c { --tone: var(--c); } .tone-d { --tone: var(--d); }
.tone-0 { --tone: var(--a); } .tone-1 { --tone: var(--c); } .tone-2 { --tone: var(--b); } .tone-3 { --tone: var(--d); }
.line-0 { --tone: var(--a); } .line-1 { --tone: var(--c); } .line-2 { --tone: var(--b); } .line-3 { --tone: var(--d); }
.line-4 { --tone: var(--e); } .line-5 { --tone: var(--f); } .line-6 { --tone: var(--g); } .line-7 { --tone: var(--h); }
.grid { stroke: var(--grid); }
.tick { fill: var(--soft); } .end { text-anchor: end; } .mid { text-anchor: middle; } .name { font-style: italic; }
.line { fill: none; stroke: var(--tone); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.band { fill: var(--tone); opacity: 0.16; }
.bar { stroke: var(--tone); opacity: 0.4; stroke-width: 1.6; }
.bar { fill: var(--tone); } .dot { fill: var(--tone); stroke: var(--tone); } .hollow { fill: var(--card); stroke-width: 1.4; }
line.reference { stroke: var(--soft); stroke-dasharray: 5 4; }
text.reference { fill: var(--soft); paint-order: stroke; stroke: var(--card); stroke-width: 5px; stroke-linejoin: round; }
.share { display: flex; height: 18px; border-radius: 6px; overflow: hidden; gap: 2px; margin: 10px 0; }
.share span { background: var(--tone); }
.legend { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 18px;
  color: var(--soft); font-size: 13px; }
.legend li::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px;
  background: var(--tone); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 8px 0 0; font-size: 13.5px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
details > summary { cursor: pointer; font-weight: 600; font-size: 16px; }
.scroll { overflow-x: auto; margin-top: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--grid); }
th.words, td.words { text-align: left; }
th { color: var(--soft); font-weight: 600; }
.yes { color: var(--good); font-weight: 600; }
footer { color: var(--soft); font-size: 13px; margin-top: 18px; }
@media (max-width: 520px) { main { padding: 22px 12px 32px; } .tiles { grid-template-columns: 1fr 1fr; gap: 10px; }
  .pair svg.chart { font-size: 15px; } .tile b { font-size: 20px; } .card, .tile { padding: 13px; }
  h1 { font-size: 25px; } }
"""


def page(title: str, body: str) -> str:
    """The whole file."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def header(title: str, line: str, badge: str, is_done: bool) -> str:
    """Title, what the run is, and whether it has ended."""
    kind = "badge done" if is_done else "badge"
    return f'<header><h1>{escape(title)}</h1><p>{escape(line)}</p><span class="{kind}">{escape(badge)}</span></header>'


def tiles(figures: list[tuple[str, str]]) -> str:
    """Big figures, each with its words."""
    cells = "".join(f'<div class="tile"><b>{escape(figure)}</b><span>{escape(words)}</span></div>' for figure, words in figures)
    return f'<div class="tiles">{cells}</div>'


def card(title: str, note: str, content: str, kind: str = "") -> str:
    """A framed part of the page; `content` is HTML."""
    words = f'<p class="note">{escape(note)}</p>' if note else ""
    return f'<section class="card {kind}"><h2>{escape(title)}</h2>{words}{content}</section>'


def pair(*cards: str) -> str:
    """Cards side by side where there is room; nothing for none."""
    there = [one for one in cards if one]
    return f'<div class="pair">{"".join(there)}</div>' if there else ""


def small(charts: list[tuple[str, str]]) -> str:
    """Little charts under their names."""
    return f'<div class="small">{"".join(f"<div><h3>{escape(name)}</h3>{chart}</div>" for name, chart in charts)}</div>'


def facts(rows: dict[str, str]) -> str:
    """Names and values."""
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{escape(value)}</dd>' for name, value in rows.items())}</dl>"


def table(columns: list[str], rows: list[list[str]]) -> str:
    """A table that scrolls sideways on narrow screens: numbers to the right, words to the left; "yes" stands out."""
    kinds = ["" if any(_is_figure(row[i]) for row in rows) else "words" for i in range(len(columns))]
    head = "".join(f"<th{_class(kind)}>{escape(name)}</th>" for name, kind in zip(columns, kinds, strict=True))
    body = "".join(f"<tr>{''.join(map(_cell, row, kinds))}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _is_figure(text: str) -> bool:
    """Whether a cell begins with a number, whatever its sign."""
    return text.lstrip("+-−")[:1].isdecimal()


def _class(*names: str) -> str:
    given = " ".join(name for name in names if name)
    return f' class="{given}"' if given else ""


def _cell(text: str, kind: str) -> str:
    return f"<td{_class(kind, 'yes' if text == 'yes' else '')}>{escape(text)}</td>"
