/** Where in a game one is: stepped through by keys and buttons, or played on. */

import { useEffect, useState } from "react";
import { useKeys } from "../shell/keys";

export interface Place {
  readonly at: number;
  readonly last: number;
  readonly isPlaying: boolean;
  readonly go: (place: number) => void;
  readonly togglePlaying: () => void;
}

export function usePlace(last: number, paceMs: number): Place {
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const go = (place: number) => (setPlaying(false), setAt(Math.max(0, Math.min(last, Math.round(place)))));
  const togglePlaying = () => {
    if (!isPlaying && at === last) setAt(0);
    setPlaying(!isPlaying);
  };
  useEffect(() => {
    if (!isPlaying) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => setAt(at + 1), paceMs);
    return () => clearTimeout(timer);
  }, [isPlaying, at, last, paceMs]);
  useKeys([
    { keys: ["ArrowLeft"], shown: "←", does: "back", act: () => go(at - 1) },
    { keys: ["ArrowRight"], shown: "→", does: "on", act: () => go(at + 1) },
    { keys: ["Home"], shown: "Home", does: "to the start", act: () => go(0) },
    { keys: ["End"], shown: "End", does: "to the end", act: () => go(last) },
    { keys: [" "], shown: "Space", does: "play or pause", act: togglePlaying },
  ]);
  return { at, last, isPlaying, go, togglePlaying };
}
