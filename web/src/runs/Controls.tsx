/** The buttons and the slider of a replay. */

import { Button } from "../design/parts";
import type { Place } from "./usePlace";

export function Controls({ place }: { place: Place }) {
  const { at, last, isPlaying, go, togglePlaying } = place;
  return (
    <div className="controls">
      <Button aria-label="To the start" disabled={!at} onClick={() => go(0)}>
        «
      </Button>
      <Button aria-label="Back" disabled={!at} onClick={() => go(at - 1)}>
        ‹
      </Button>
      <Button className="play-on" onClick={togglePlaying}>
        {isPlaying ? "❚❚ Pause" : "▶ Play"}
      </Button>
      <Button aria-label="On" disabled={at === last} onClick={() => go(at + 1)}>
        ›
      </Button>
      <Button aria-label="To the end" disabled={at === last} onClick={() => go(last)}>
        »
      </Button>
      <input type="range" aria-label="Move" min={0} max={last} value={at} onChange={(event) => go(Number(event.target.value))} />
      <output>
        {at} / {last}
      </output>
    </div>
  );
}
