/** Asking again and again: what is shown stays while an answer is missing, and a server that comes back is found. */

import { useCallback, useEffect, useRef, useState } from "react";

export interface Polled<Answer> {
  readonly answer: Answer | null;
  readonly trouble: string;
  readonly again: () => void;
}

/** The last answer of `fetch`, asked again after `pause(answer)` ms; null: no more. Nothing is asked while the page is hidden. */
export function usePolling<Answer>(key: string, fetch: () => Promise<Answer>, pause: (answer: Answer | null) => number | null) {
  const [state, setState] = useState<{ key: string; answer: Answer | null; trouble: string }>({ key, answer: null, trouble: "" });
  const [round, setRound] = useState(0);
  const latest = useRef({ fetch, pause });
  latest.current = { fetch, pause };
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const later = (ms: number | null) => {
      if (ms !== null && !isGone) timer = window.setTimeout(look, ms);
    };
    const look = () => {
      if (document.hidden) return later(1000);
      latest.current.fetch().then(
        (answer) => {
          if (isGone) return;
          setState({ key, answer, trouble: "" });
          later(latest.current.pause(answer));
        },
        (error: Error) => {
          if (isGone) return;
          setState((before) => ({ key, answer: before.key === key ? before.answer : null, trouble: error.message }));
          later(latest.current.pause(null) ?? 2000);
        },
      );
    };
    look();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [key, round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { answer: state.key === key ? state.answer : null, trouble: state.trouble, again } satisfies Polled<Answer>;
}
