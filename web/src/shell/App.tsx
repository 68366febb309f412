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
  const { page, rest, query } = useRoute();
  const found = usePages();
  const pages = typeof found === "string" ? null : found;
  const known = pages?.names.find((name) => name === page);
  useEffect(() => {
    if (!known && pages) go(`/${pages.home}${query.size ? `?${query}` : ""}`, true);
    const place = known === "puzzles" ? "" : rest.split("/")[0];
    document.title = [place, known ? TITLES[known] : "…", "playmill"].filter(Boolean).join(" · ");
  }, [known, pages, rest, query]);
  const Page = known && SHOW[known];
  return (
    <Mishap>
      {typeof found === "string" && (
        <p className="waiting" role="alert">
          {found}
        </p>
      )}
      {Page && <Page />}
    </Mishap>
  );
}
