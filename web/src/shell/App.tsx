/** The app: the page that the address names. */

import { useEffect } from "react";
import { PlayPage } from "../play/PlayPage";
import { PuzzlesPage } from "../puzzles/PuzzlesPage";
import { RunsPage } from "../runs/RunsPage";
import { Mishap } from "./Mishap";
import { TITLES, usePages } from "./pages";
import { go, useRoute } from "./route";

const SHOW = { runs: RunsPage, play: PlayPage, puzzles: PuzzlesPage };

export function App() {
  const { page, query } = useRoute();
  const pages = usePages();
  const known = typeof pages === "string" ? undefined : pages?.find((name) => name === page);
  const first = typeof pages === "string" ? undefined : pages?.[0];
  useEffect(() => {
    if (!known && first) go(`/${first}${query.size ? `?${query}` : ""}`, true);
    document.title = `${known ? TITLES[known] : "…"} · playmill`;
  }, [known, first, query]);
  const Page = known && SHOW[known];
  return (
    <Mishap>
      {typeof pages === "string" && (
        <p className="waiting" role="alert">
          {pages}
        </p>
      )}
      {Page && <Page />}
    </Mishap>
  );
}
