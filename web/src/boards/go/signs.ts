/** What stands on stones and points: marks, rings, the cursor, numbers. */

import { canvasOf, FONT } from "./canvas";
import { SIGNS } from "./palette";
import { STONE } from "./stones";

export type Sign = "triangle" | "square" | "last" | "right" | "wrong" | "cursor";

/** A sign for a point; `ink` is the colour of those that have none of their own. The canvas is `cell` wide. */
export function drawSign(sign: Sign, ink: string, cell: number, scale: number): HTMLCanvasElement {
  const [canvas, pen] = canvasOf(cell, cell, scale);
  pen.translate(cell / 2, cell / 2);
  pen.lineWidth = Math.max(1.4, cell * 0.055);
  pen.lineJoin = "round";
  pen.lineCap = "round";
  pen.strokeStyle = sign in SIGNS ? SIGNS[sign as keyof typeof SIGNS] : ink;
  const reach = cell * STONE;
  pen.beginPath();
  if (sign === "triangle") {
    for (const turn of [0, 1, 2].map((third) => (third * 2 * Math.PI) / 3)) {
      pen.lineTo(Math.sin(turn) * reach * 0.58, -Math.cos(turn) * reach * 0.58);
    }
    pen.closePath();
    pen.stroke();
  } else if (sign === "square") {
    pen.strokeRect(-reach * 0.42, -reach * 0.42, reach * 0.84, reach * 0.84);
  } else if (sign === "cursor") {
    drawCorners(pen, reach);
  } else {
    pen.lineWidth = Math.max(1.6, cell * 0.07);
    pen.arc(0, 0, reach - pen.lineWidth * 0.5, 0, 2 * Math.PI);
    pen.stroke();
  }
  return canvas;
}

/** Four corners around a point, with a light line behind them so that they are seen on any stone. */
function drawCorners(pen: CanvasRenderingContext2D, reach: number): void {
  const arm = reach * 0.5;
  for (const [x, y] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const) {
    pen.moveTo(x * reach, y * (reach - arm));
    pen.lineTo(x * reach, y * reach);
    pen.lineTo(x * (reach - arm), y * reach);
  }
  const [colour, width] = [pen.strokeStyle, pen.lineWidth];
  pen.strokeStyle = "rgba(255, 255, 255, 0.9)";
  pen.lineWidth = width * 2;
  pen.stroke();
  pen.strokeStyle = colour;
  pen.lineWidth = width * 1.2;
  pen.stroke();
}

/** A move's number, or a letter. */
export function drawText(text: string, ink: string, cell: number, scale: number): HTMLCanvasElement {
  const [canvas, pen] = canvasOf(cell, cell, scale);
  pen.fillStyle = ink;
  pen.font = `600 ${cell * (text.length < 3 ? 0.46 : 0.36)}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, cell / 2, cell * 0.525);
  return canvas;
}
