/** One run, followed while it works: what changes every second, its events as they come, and the rest when an iteration moves on. */

import { useEffect, useRef, useState } from "react";
import { type EventLine, type LiveRun, type RunPageData, fetchLive, fetchRun } from "../api/runs";
import { usePolling } from "../shell/polling";

const LIVE_MS = 1000;
const REST_MS = 5000; // a run that has ended may be taken up again
const KEPT = 400; // events on the page

export interface Followed {
  readonly live: LiveRun | null;
  readonly page: RunPageData | null;
  readonly events: readonly EventLine[];
  readonly trouble: string;
}

export function useRun(name: string): Followed {
  const after = useRef(0);
  const [events, setEvents] = useState<readonly EventLine[]>([]);
  const [page, setPage] = useState<RunPageData | null>(null);
  const [pageTrouble, setPageTrouble] = useState("");
  const look = async () => {
    const live = await fetchLive(name, after.current);
    const isAnew = live.events.next < after.current;
    after.current = live.events.next;
    if (isAnew || live.events.lines.length)
      setEvents((before) => [...(isAnew ? [] : before), ...live.events.lines].slice(-KEPT));
    return live;
  };
  const { answer: live, trouble } = usePolling(`run ${name}`, look, (live) => (live?.state === "running" ? LIVE_MS : REST_MS));
  const version = live?.version;
  useEffect(() => {
    if (!version) return;
    let isGone = false;
    fetchRun(name).then(
      (found) => !isGone && (setPage(found), setPageTrouble("")),
      (error: Error) => !isGone && setPageTrouble(error.message),
    );
    return () => {
      isGone = true;
    };
  }, [name, version]);
  return { live, page, events, trouble: trouble || pageTrouble };
}
