/** A die with its pips; a held one is lifted and framed. */

const PIPS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

interface DieProps {
  readonly face: number;
  readonly place: number;
  readonly isHeld: boolean;
  readonly onToggle?: () => void;
}

export function Die({ face, place, isHeld, onToggle }: DieProps) {
  return (
    <button
      type="button"
      className="die"
      data-die={place + 1}
      aria-pressed={isHeld}
      aria-label={`Die ${place + 1}: ${face}${isHeld ? ", held" : ""}`}
      disabled={!onToggle}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <rect className="die-body" x="1.5" y="1.5" width="41" height="41" rx="9" />
        {PIPS[face]?.map(([x, y]) => <circle key={`${x},${y}`} className="die-pip" cx={22 + 11.5 * x} cy={22 + 11.5 * y} r="4.3" />)}
      </svg>
      <span>{isHeld ? "held" : ""}</span>
    </button>
  );
}
