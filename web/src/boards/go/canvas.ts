/** Plain canvases to draw on, which become Pixi's textures. */

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
/** A canvas of so many CSS pixels, to draw on in CSS pixels. */
export function canvasOf(width: number, height: number, scale: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no 2D canvas");
  pen.scale(scale, scale);
  return [canvas, pen];
}

export function disc(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
