/** Slate and shell stones, and the shadows under them. */

import { canvasOf, disc } from "./canvas";
import type { Palette } from "./palette";
import { BLACK, type Colour } from "./rules";

export const STONE = 0.478; // of a cell: a stone's radius

/** A slate or shell stone, with a soft light from the upper left; the canvas is `cell` wide. */
export function drawStone(colour: Colour, cell: number, scale: number): HTMLCanvasElement {
  const [canvas, pen] = canvasOf(cell, cell, scale);
  const middle = cell / 2;
  const radius = cell * STONE;
  const light = pen.createRadialGradient(middle - radius * 0.36, middle - radius * 0.42, radius * 0.08, middle, middle, radius);
  const stops: [number, string][] =
    colour === BLACK
      ? [
          [0, "#6a6a6e"],
          [0.28, "#3b3b3f"],
          [0.7, "#1c1c1f"],
          [1, "#0b0b0d"],
        ]
      : [
          [0, "#ffffff"],
          [0.55, "#f8f5ee"],
          [0.86, "#e6e0d4"],
          [1, "#c9c1b2"],
        ];
  for (const [at, shade] of stops) light.addColorStop(at, shade);
  pen.fillStyle = light;
  disc(pen, middle, middle, radius);
  if (colour !== BLACK) drawShell(pen, middle, radius);
  pen.lineWidth = Math.max(0.5, cell / 70);
  pen.strokeStyle = colour === BLACK ? "rgba(0, 0, 0, 0.55)" : "rgba(96, 84, 62, 0.55)";
  pen.beginPath();
  pen.arc(middle, middle, radius - pen.lineWidth / 2, 0, 2 * Math.PI);
  pen.stroke();
  return canvas;
}

/** The faint curved lines of clam shell. */
function drawShell(pen: CanvasRenderingContext2D, middle: number, radius: number): void {
  pen.save();
  pen.beginPath();
  pen.arc(middle, middle, radius * 0.97, 0, 2 * Math.PI);
  pen.clip();
  pen.strokeStyle = "rgba(150, 132, 96, 0.065)";
  pen.lineWidth = Math.max(0.5, radius / 22);
  for (let at = -1; at <= 3; at += 0.24) {
    pen.beginPath();
    pen.arc(middle - radius * 2.2, middle + radius * 0.5, radius * (1.6 + at), -0.9, 0.7);
    pen.stroke();
  }
  pen.restore();
}

/** The shadow under a stone; the canvas is 1.5 cells wide. */
export function drawShadow(palette: Palette, cell: number, scale: number): HTMLCanvasElement {
  const wide = cell * 1.5;
  const [canvas, pen] = canvasOf(wide, wide, scale);
  const radius = cell * STONE;
  const shade = pen.createRadialGradient(wide / 2, wide / 2, radius * 0.7, wide / 2, wide / 2, radius * 1.22);
  shade.addColorStop(0, palette.shadow);
  shade.addColorStop(1, "rgba(0, 0, 0, 0)");
  pen.fillStyle = shade;
  pen.fillRect(0, 0, wide, wide);
  return canvas;
}
