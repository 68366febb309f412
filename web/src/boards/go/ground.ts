/** A Go board without stones: wood, lines, star points and coordinates. */

import { canvasOf, disc, FONT } from "./canvas";
import { type Layout, xOf, yOf } from "./layout";
import type { Palette } from "./palette";
import { LETTERS, isInside, starPoints } from "./points";

/** Wood, lines, star points and coordinates. Where the board goes on, wood and lines fade away. */
export function drawGround(layout: Layout, palette: Palette, scale: number): HTMLCanvasElement {
  const [canvas, pen] = canvasOf(layout.width, layout.height, scale);
  drawWood(pen, layout, palette);
  drawLines(pen, layout, palette, scale);
  fadeCuts(pen, layout);
  drawLabels(pen, layout, palette);
  return canvas;
}

interface Cuts {
  readonly top: boolean;
  readonly left: boolean;
  readonly bottom: boolean;
  readonly right: boolean;
}

function cutsOf({ size, view }: Layout): Cuts {
  return { top: view.top > 0, left: view.left > 0, bottom: view.bottom < size - 1, right: view.right < size - 1 };
}

function drawWood(pen: CanvasRenderingContext2D, layout: Layout, palette: Palette): void {
  const { width, height } = layout;
  const cuts = cutsOf(layout);
  const radius = Math.min(10, layout.cell / 4);
  pen.save();
  pen.beginPath();
  const corners = [cuts.top || cuts.left, cuts.top || cuts.right, cuts.bottom || cuts.right, cuts.bottom || cuts.left];
  pen.roundRect(
    0,
    0,
    width,
    height,
    corners.map((cut) => (cut ? 0 : radius)),
  );
  pen.clip();
  const shade = pen.createLinearGradient(0, 0, width * 0.35, height);
  shade.addColorStop(0, palette.wood[0]);
  shade.addColorStop(1, palette.wood[1]);
  pen.fillStyle = shade;
  pen.fillRect(0, 0, width, height);
  drawGrain(pen, width, height, palette.grain);
  pen.restore();
}

/** Wavy lines along the wood, always the same ones. */
function drawGrain(pen: CanvasRenderingContext2D, width: number, height: number, colour: string): void {
  pen.strokeStyle = colour;
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let x = -20; x < width + 20; x += 3 + random() * 9) {
    const phase = random() * 6.28;
    const sway = 1.5 + random() * 4;
    pen.lineWidth = 0.5 + random() * 2.2;
    pen.beginPath();
    for (let y = -5; y <= height + 12; y += 12) pen.lineTo(x + Math.sin(y / 90 + phase) * sway, y);
    pen.stroke();
  }
}

/** Lines and star points; the edges of lines lie on whole pixels of the screen, so that they are sharp. */
function drawLines(pen: CanvasRenderingContext2D, layout: Layout, palette: Palette, scale: number): void {
  const { size, view, cell } = layout;
  const cuts = cutsOf(layout);
  const beyond = (isCut: boolean, isLabelled: boolean) => (isCut ? (isLabelled ? cell * 0.52 : cell) : 0);
  const left = xOf(layout, view.left) - beyond(cuts.left, cuts.right);
  const right = xOf(layout, view.right) + beyond(cuts.right, false);
  const top = yOf(layout, view.top) - beyond(cuts.top, false);
  const bottom = yOf(layout, view.bottom) + beyond(cuts.bottom, cuts.top);
  pen.fillStyle = palette.line;
  const line = (x1: number, y1: number, x2: number, y2: number, isEdge: boolean) => {
    const thick = Math.max(1, Math.round((isEdge ? Math.max(1.6, cell / 20) : Math.max(0.75, cell / 46)) * scale)) / scale;
    const whole = (place: number) => Math.round((place - thick / 2) * scale) / scale;
    pen.fillRect(whole(x1), whole(y1), whole(x2) - whole(x1) + thick, whole(y2) - whole(y1) + thick);
  };
  for (let row = view.top; row <= view.bottom; row++) {
    line(left, yOf(layout, row), right, yOf(layout, row), row === 0 || row === size - 1);
  }
  for (let column = view.left; column <= view.right; column++) {
    line(xOf(layout, column), top, xOf(layout, column), bottom, column === 0 || column === size - 1);
  }
  for (const point of starPoints(size)) {
    const [row, column] = [Math.floor(point / size), point % size];
    if (isInside(view, row, column)) disc(pen, xOf(layout, column), yOf(layout, row), Math.max(1.8, cell * 0.085));
  }
}

/** Takes the wood away, softly, along the sides where the board goes on. */
function fadeCuts(pen: CanvasRenderingContext2D, layout: Layout): void {
  const { width, height, cell, margin } = layout;
  const cuts = cutsOf(layout);
  const reach = margin + cell * 0.42;
  pen.save();
  pen.globalCompositeOperation = "destination-out";
  const fade = (is: boolean, x1: number, y1: number, x2: number, y2: number) => {
    if (!is) return;
    const shade = pen.createLinearGradient(x1, y1, x2, y2);
    shade.addColorStop(0, "rgba(0, 0, 0, 1)");
    shade.addColorStop(0.3, "rgba(0, 0, 0, 0.82)");
    shade.addColorStop(1, "rgba(0, 0, 0, 0)");
    pen.fillStyle = shade;
    pen.fillRect(0, 0, width, height);
  };
  fade(cuts.top, 0, 0, 0, reach);
  fade(cuts.left, 0, 0, reach, 0);
  fade(cuts.bottom, 0, height, 0, height - reach);
  fade(cuts.right, width, 0, width - reach, 0);
  pen.restore();
}

/** Letters and numbers along the edges of the board; where both are cut off, below and on the left. */
function drawLabels(pen: CanvasRenderingContext2D, layout: Layout, palette: Palette): void {
  const { size, view, cell, margin, width, height } = layout;
  const cuts = cutsOf(layout);
  pen.font = `500 ${Math.max(9, Math.min(14, cell * 0.3))}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const near = margin * 0.56;
  const rows = [!cuts.bottom || cuts.top ? height - near : null, !cuts.top ? near : null];
  const columns = [!cuts.left || cuts.right ? near : null, !cuts.right ? width - near : null];
  pen.fillStyle = cuts.bottom && cuts.top ? palette.outside : palette.label;
  for (let column = view.left; column <= view.right; column++) {
    for (const y of rows) if (y !== null) pen.fillText(LETTERS[column] ?? "", xOf(layout, column), y);
  }
  pen.fillStyle = cuts.left && cuts.right ? palette.outside : palette.label;
  for (let row = view.top; row <= view.bottom; row++) {
    for (const x of columns) if (x !== null) pen.fillText(String(size - row), x, yOf(layout, row));
  }
}
