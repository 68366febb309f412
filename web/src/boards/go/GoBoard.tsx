/** A Go board to look at and to play on, by pointer or by keyboard. */

import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type MouseEvent } from "react";
import { useCalm, useTheme } from "../../design/theme";
import { MARGIN, pointAt } from "./layout";
import { DARK, LIGHT } from "./palette";
import { type View, pointName } from "./points";
import { GoScene, type Picture } from "./scene";
import { EMPTY, type Colour } from "./rules";

export interface GoBoardProps {
  readonly picture: Omit<Picture, "cursor" | "ghost">;
  readonly toPlay: Colour;
  readonly label: string;
  readonly onPlay: (point: number) => void;
}

const STEPS: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function GoBoard({ picture, toPlay, label, onPlay }: GoBoardProps) {
  const place = useRef<HTMLDivElement>(null);
  const scene = useScene(place);
  const room = useRoom(place);
  useScale();
  const theme = useTheme();
  const [hover, setHover] = useState(-1);
  const [cursor, setCursor] = useState(-1);
  const [isFocused, setFocused] = useState(false);
  const { size, view, stones } = picture;

  const shownCursor = isFocused ? cursor : -1;
  const ghostPoint = isFocused && cursor >= 0 ? cursor : hover;
  const ghost = ghostPoint >= 0 && stones[ghostPoint] === EMPTY ? { point: ghostPoint, colour: toPlay } : null;

  useEffect(() => {
    if (!(scene instanceof GoScene) || !room.width) return;
    const shown = { ...picture, cursor: shownCursor, ghost };
    scene.show(shown, theme === "dark" ? DARK : LIGHT, room.width, room.height);
    const { cell, margin } = scene.layout!;
    place.current!.dataset.layout = [cell, margin, view.top, view.left].join(" ");
  });

  const pointOf = (event: MouseEvent): number => {
    if (!(scene instanceof GoScene) || !scene.layout) return -1;
    const box = scene.canvas.getBoundingClientRect();
    return pointAt(scene.layout, event.clientX - box.left, event.clientY - box.top);
  };

  const focus = () => {
    setFocused(true);
    const middle = Math.floor((view.top + view.bottom) / 2) * size + Math.floor((view.left + view.right) / 2);
    const isSeen = cursor >= 0 && stepInside(picture, cursor, 0, 0) === cursor;
    if (!isSeen) setCursor(middle);
  };

  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) setCursor(stepInside(picture, cursor, step[0], step[1]));
    else if (event.key === "Enter") onPlay(cursor);
    else if (event.key === "Escape") {
      place.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={place}
      className="board"
      role="application"
      aria-roledescription="Go board"
      aria-label={label}
      tabIndex={0}
      style={{ "--ratio": shapeOf(view) } as CSSProperties}
      data-renderer={scene instanceof GoScene ? scene.kind : undefined}
      data-cursor={isFocused && cursor >= 0 ? pointName(size, cursor) : undefined}
      onFocus={focus}
      onBlur={() => setFocused(false)}
      onKeyDown={press}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={(event) => event.pointerType === "mouse" && setHover(pointOf(event))}
      onPointerLeave={() => setHover(-1)}
      onClick={(event) => {
        const point = pointOf(event);
        if (point >= 0) onPlay(point);
      }}
    >
      {typeof scene === "string" && (
        <p className="board-missing" role="alert">
          {scene}
        </p>
      )}
      {isFocused && cursor >= 0 && (
        <span className="visually-hidden" aria-live="assertive">
          {cursorWords(picture, cursor)}
        </span>
      )}
    </div>
  );
}

/** Height over width of what is shown. */
function shapeOf({ top, left, bottom, right }: View): number {
  return (bottom - top + 1 + 2 * MARGIN) / (right - left + 1 + 2 * MARGIN);
}

function cursorWords({ size, stones }: { size: number; stones: Uint8Array }, point: number): string {
  return `${pointName(size, point)}, ${["empty", "black stone", "white stone"][stones[point]!]}`;
}

/** The point a step away, within what is shown. */
function stepInside({ size, view }: GoBoardProps["picture"], point: number, down: number, right: number): number {
  const row = Math.min(view.bottom, Math.max(view.top, Math.floor(point / size) + down));
  const column = Math.min(view.right, Math.max(view.left, (point % size) + right));
  return row * size + column;
}

/** The scene once it is there, or a line that says why it can't be. */
function useScene(place: React.RefObject<HTMLDivElement | null>): GoScene | string | null {
  const [scene, setScene] = useState<GoScene | string | null>(null);
  const isCalm = useCalm();
  const calm = useRef(isCalm);
  calm.current = isCalm;
  useEffect(() => {
    let made: GoScene | null = null;
    let isGone = false;
    GoScene.make(() => calm.current).then(
      (found) => {
        made = found;
        if (isGone) return found.destroy();
        place.current?.append(found.canvas);
        setScene(found);
      },
      (error: unknown) =>
        setScene(`The board can't be drawn: this browser offers neither WebGL nor a 2D canvas (${String(error)}).`),
    );
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, [place]);
  return scene;
}

/** Draws again when the screen's pixels become finer or coarser, as on another monitor. */
function useScale(): number {
  const [scale, setScale] = useState(window.devicePixelRatio);
  useEffect(() => {
    const watch = window.matchMedia(`(resolution: ${scale}dppx)`);
    const change = () => setScale(window.devicePixelRatio);
    watch.addEventListener("change", change);
    return () => watch.removeEventListener("change", change);
  }, [scale]);
  return scale;
}

/** How much room the board has. */
function useRoom(place: React.RefObject<HTMLDivElement | null>): { width: number; height: number } {
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, [place]);
  return room;
}
