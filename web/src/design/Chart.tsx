/** A chart of one or several curves, as plain SVG: lines over the bands of their intervals, or dots with bars. */

import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { niceTicks, percent, place, short, withRoom } from "./scale";

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly words: string;
  readonly isFilled: boolean;
}

export interface Series {
  readonly name: string;
  readonly tone: number; // 1 to 6
  readonly dots: readonly Dot[];
}

export interface ChartProps {
  readonly label: string;
  readonly series: readonly Series[];
  readonly xName: string;
  readonly isShare?: boolean;
  readonly hasLine?: boolean;
  readonly hasWholeX?: boolean;
  readonly reference?: readonly [number, string] | null;
  readonly limits?: readonly [number, number] | null;
  readonly height?: number;
  readonly cursor?: number | null;
  readonly onPick?: (x: number) => void;
}

const LEFT = 48;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 30;
const MANY = 60; // dots that would hide their line
const STEPS: Record<string, readonly [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export function Chart(props: ChartProps) {
  const { label, series, xName, isShare = false, hasLine = true, hasWholeX = true, reference, height = 210, cursor } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [near, setNear] = useState<{ series: number; dot: number } | null>(null);
  const xs = xLimits(series);
  const ys = yLimits(props);
  const x = (value: number) => place(value, xs, LEFT, width - RIGHT);
  const y = (value: number) => place(value, ys, height - BOTTOM, TOP);
  const form = isShare ? percent : short;

  const find = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const high = event.clientY - event.currentTarget.getBoundingClientRect().top;
    setNear(nearest(series, (dot) => Math.hypot(x(dot.x) - at, (y(dot.y) - high) / 3)));
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    setNear(stepFrom(series, near, step));
  };
  const chosen = near && series[near.series]?.dots[near.dot];
  const usual = chosen ?? (series.length === 1 ? usualDot(series[0]!, cursor) : null);
  const tickCount = Math.max(2, Math.floor((width - LEFT) / 64));
  return (
    <div className="chart" ref={box}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={label}
        tabIndex={props.onPick ? undefined : 0}
        onKeyDown={props.onPick ? undefined : press}
        onBlur={() => setNear(null)}
        onPointerMove={find}
        onPointerDown={(event) => {
          find(event);
          if (!props.onPick) return;
          const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
          props.onPick(place(at, [LEFT, width - RIGHT], xs[0], xs[1]));
        }}
        onPointerLeave={() => setNear(null)}
      >
        {niceTicks(ys[0], ys[1]).map((value) => (
          <g key={value}>
            <line className="chart-grid" x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text className="chart-tick end" x={LEFT - 7} y={y(value) + 4}>
              {form(value)}
            </text>
          </g>
        ))}
        {niceTicks(xs[0], xs[1], tickCount)
          .filter((value) => !hasWholeX || Number.isInteger(value))
          .map((value) => (
            <text key={value} className="chart-tick mid" x={x(value)} y={height - BOTTOM + 16}>
              {short(value)}
            </text>
          ))}
        <text className="chart-tick end name" x={width - RIGHT} y={height - 2}>
          {xName}
        </text>
        {reference && (
          <g className="chart-reference">
            <line x1={LEFT} x2={width - RIGHT} y1={y(reference[0])} y2={y(reference[0])} />
            <text x={LEFT + 4} y={y(reference[0]) - 5}>
              {reference[1]}
            </text>
          </g>
        )}
        {series.map(({ name, tone, dots }) => (
          <g key={name} className={`tone-${tone}`}>
            {hasLine ? <Band dots={dots} x={x} y={y} /> : <Bars dots={dots} x={x} y={y} />}
            {hasLine && <polyline className="chart-line" points={dots.map((dot) => `${x(dot.x)},${y(dot.y)}`).join(" ")} />}
            {(hasLine && dots.length > MANY ? dots.slice(-1) : dots).map((dot, i) => (
              <circle key={i} className={dot.isFilled ? "chart-dot" : "chart-dot hollow"} cx={x(dot.x)} cy={y(dot.y)} r={hasLine ? 2.6 : 3.6} />
            ))}
          </g>
        ))}
        {cursor != null && <line className="chart-cursor" x1={x(cursor)} x2={x(cursor)} y1={TOP} y2={height - BOTTOM} />}
        {chosen && <circle className={`chart-near tone-${series[near.series]!.tone}`} cx={x(chosen.x)} cy={y(chosen.y)} r={6} />}
      </svg>
      <p className="chart-words" aria-live="polite">
        {chosen && series.length > 1 ? `${series[near.series]!.name}: ${chosen.words}` : usual?.words}
      </p>
    </div>
  );
}

/** What is told while nobody points: the dot at the cursor, else the last one. */
function usualDot({ dots }: Series, cursor?: number | null): Dot | null {
  return dots.find(({ x }) => x === cursor) ?? dots.at(-1) ?? null;
}

/** The dot a step away: along its curve, or at the same place on another one; the first step goes to the last dot. */
function stepFrom(series: readonly Series[], near: { series: number; dot: number } | null, [down, right]: readonly [number, number]) {
  const last = (curve: number) => series[curve]!.dots.length - 1;
  if (!near) return series.length ? { series: 0, dot: last(0) } : null;
  const curve = (near.series + down + series.length) % series.length;
  return { series: curve, dot: Math.min(last(curve), Math.max(0, near.dot + right)) };
}

interface Marks {
  readonly dots: readonly Dot[];
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

function Band({ dots, x, y }: Marks) {
  const known = dots.filter((dot) => dot.low !== null && dot.high !== null);
  if (known.length < 2) return <Bars dots={dots} x={x} y={y} />;
  const there = known.map((dot) => `${x(dot.x)},${y(dot.high!)}`);
  const back = known.map((dot) => `${x(dot.x)},${y(dot.low!)}`).reverse();
  return <polygon className="chart-band" points={[...there, ...back].join(" ")} />;
}

function Bars({ dots, x, y }: Marks) {
  return dots.map(
    (dot, i) =>
      dot.low !== null &&
      dot.high !== null && <line key={i} className="chart-bar" x1={x(dot.x)} x2={x(dot.x)} y1={y(dot.low)} y2={y(dot.high)} />,
  );
}

function xLimits(series: readonly Series[]): [number, number] {
  const xs = series.flatMap(({ dots }) => dots.map((dot) => dot.x));
  return [Math.min(0, ...xs), Math.max(1e-9, ...xs)];
}

/** Those that were asked for, unless a number lies outside. */
function yLimits({ series, reference, limits }: ChartProps): [number, number] {
  const ys = series.flatMap(({ dots }) => dots.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]));
  if (reference) ys.push(reference[0]);
  if (limits) return [Math.min(limits[0], ...ys), Math.max(limits[1], ...ys)];
  return ys.length ? withRoom(Math.min(...ys), Math.max(...ys)) : [0, 1];
}

function nearest(series: readonly Series[], far: (dot: Dot) => number): { series: number; dot: number } | null {
  let best: { series: number; dot: number } | null = null;
  let least = Infinity;
  series.forEach(({ dots }, i) =>
    dots.forEach((dot, j) => {
      if (far(dot) < least) [least, best] = [far(dot), { series: i, dot: j }];
    }),
  );
  return best;
}

function useWidth(box: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(320);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => element.clientWidth && setWidth(Math.max(200, element.clientWidth)); // 0: folded away
    measure(); // before the first paint, which else has the wrong width on a slow machine
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return width;
}
