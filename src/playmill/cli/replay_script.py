"""Looks and script of a game's page: they are the same for every game."""

from __future__ import annotations

STYLE = """
.stage { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(260px, 1fr); gap: 14px; align-items: start; }
.stage .card { margin-bottom: 14px; }
#board svg { display: block; width: 100%; height: auto; max-height: 78vh; margin: 0 auto; }
.said { margin: 12px 0 10px; min-height: 3em; } .said b { font-size: 17px; } #told { color: var(--soft); }
.controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.controls button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 9px;
  min-width: 42px; height: 38px; font-size: 17px; cursor: pointer; } .controls button:hover { border-color: var(--a); }
#play { min-width: 98px; font-size: 15px; background: var(--a); color: var(--card); border-color: var(--a); font-weight: 600; }
#slider { flex: 1 1 140px; min-width: 100px; height: 32px; accent-color: var(--a); }
#place { color: var(--soft); font-variant-numeric: tabular-nums; }
.moves { position: sticky; top: 14px; }
#moves { list-style: none; margin: 10px -8px 0; padding: 0; max-height: calc(100vh - 130px); overflow-y: auto; }
#moves button { display: grid; grid-template-columns: 2.2em 12px auto 1fr; gap: 0 8px; align-items: baseline; width: 100%;
  font: inherit; color: inherit; background: none; border: 0; border-radius: 8px; padding: 5px 8px; text-align: left;
  cursor: pointer; }
#moves button:hover { background: var(--paper); } #moves .on { background: var(--grid); }
#moves span { color: var(--soft); text-align: right; font-size: 13px; font-variant-numeric: tabular-nums; }
#moves i { width: 10px; height: 10px; border-radius: 5px; align-self: start; margin-top: 7px; border: 1.5px solid var(--soft); }
#moves .seat1 { background: var(--soft); } #moves b { font-weight: 600; white-space: nowrap; }
#moves small { color: var(--soft); font-size: 12.5px; line-height: 1.35; }
#policy { display: grid; grid-template-columns: max-content 1fr max-content; gap: 5px 12px; align-items: center;
  font-variant-numeric: tabular-nums; min-height: 11.5em; align-content: start; }
#policy div { height: 9px; border-radius: 5px; background: var(--grid); overflow: hidden; }
#policy div i { display: block; height: 100%; background: var(--c); } #policy .did { color: var(--a); font-weight: 600; }
#policy .did + div i { background: var(--a); } #policy p { grid-column: 1 / -1; margin: 0; color: var(--soft); }
#curve { cursor: pointer; } #cursor { stroke: var(--b); stroke-width: 2; }
:focus-visible { outline: 2px solid var(--a); outline-offset: 2px; }
@media (max-width: 820px) { .stage { grid-template-columns: minmax(0, 1fr); } .moves { position: static; }
  #moves { max-height: 46vh; } }
@media (max-width: 520px) { #play { order: -1; flex: 1 0 100%; } .controls button { flex: 1; } .said { min-height: 4.5em; } }
"""

SCRIPT = """
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const at = (id) => document.getElementById(id);
  const make = (name) => document.createElement(name);
  const last = game.frames.length - 1, slider = at("slider"), board = at("board");
  const rows = [...at("moves").querySelectorAll("button")];
  const text = (node, words) => { node.textContent = words; return node; };
  let now = 0, timer = null;

  function showPolicy(move) {
    const box = at("policy");
    if (!box) return;
    box.replaceChildren();
    if (!move || !move.best.length) {
      box.append(text(make("p"), move ? "no search was recorded here" : "the game is over"));
      return;
    }
    for (const [name, share, did] of move.best) {
      const label = text(make("span"), name), bar = make("div"), fill = make("i");
      if (did) label.className = "did";
      fill.style.width = 100 * share + "%";
      bar.append(fill);
      box.append(label, bar, text(make("span"), (100 * share).toFixed(1) + " %"));
    }
    if (move.value === null) return;
    box.append(text(make("p"), "worth " + (move.value > 0 ? "+" : "") + move.value.toFixed(3) + " to the mover"));
  }

  function showCursor(ply) {
    const chart = document.querySelector("#curve svg");
    if (!chart) return;
    let line = at("cursor");
    if (!line) {
      line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      line.id = "cursor";
      chart.append(line);
    }
    const { left, right, top, bottom, last } = game.chart, x = left + Math.min(1, ply / (last || 1)) * (right - left);
    for (const [name, value] of [["x1", x], ["x2", x], ["y1", top], ["y2", bottom]]) line.setAttribute(name, value);
  }

  function show(place) {
    now = Math.max(0, Math.min(last, place));
    const ply = game.plies[now], done = game.moves[ply - 1];
    board.innerHTML = game.open + game.frames[now].map((i) => game.groups[i]).join("") + "</svg>";
    slider.value = now;
    text(at("move"), done ? done.who + ": " + done.text : "the start");
    text(at("told"), [done && done.told, ply === game.moves.length ? game.end : ""].filter(Boolean).join("; "));
    text(at("place"), ply + " / " + game.moves.length);
    rows.forEach((row, i) => row.classList.toggle("on", i === ply - 1));
    const row = rows[Math.max(0, ply - 1)], list = at("moves");
    if (row) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2 + row.clientHeight / 2;
    showPolicy(game.moves[ply]);
    showCursor(ply);
    history.replaceState(null, "", "#" + ply);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    text(at("play"), "▶ play");
  }

  function play() {
    if (timer) return pause();
    if (now === last) show(0);
    text(at("play"), "❚❚ pause");
    timer = setInterval(() => { show(now + 1); if (now === last) pause(); }, 1000 * game.pace);
  }

  const nearest = (ply) => { const i = game.plies.findIndex((each) => each >= ply); return i < 0 ? last : i; };
  const go = (place) => { pause(); show(place); };
  const acts = { first: () => go(0), back: () => go(now - 1), next: () => go(now + 1), last: () => go(last), play };
  const keys = { ArrowLeft: acts.back, ArrowRight: acts.next, Home: acts.first, End: acts.last, " ": play };
  for (const id in acts) at(id).addEventListener("click", acts[id]);
  slider.max = last;
  slider.addEventListener("input", () => go(Number(slider.value)));
  rows.forEach((row) => row.addEventListener("click", () => go(nearest(Number(row.dataset.ply)))));
  document.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const curve = at("curve");
  if (curve) curve.addEventListener("click", (event) => {
    const box = curve.querySelector("svg").getBoundingClientRect(), { left, right, last: end } = game.chart;
    const x = (event.clientX - box.left) / box.width * curve.querySelector("svg").viewBox.baseVal.width;
    go(nearest(Math.round((x - left) / (right - left) * end)));
  });
  show(nearest(Number(location.hash.slice(1)) || 0));
})();
"""
