/** The app: the page that the address names. */

import { useEffect } from "react";
import { PuzzlesPage } from "../puzzles/PuzzlesPage";
import { Mishap } from "./Mishap";
import { PAGES } from "./pages";
import { go, useRoute } from "./route";

const SHOW = { puzzles: PuzzlesPage };

export function App() {
  const { page, query } = useRoute();
  const known = PAGES.find(({ name }) => name === page);
  const first = PAGES[0].name;
  useEffect(() => {
    if (!known) go(`/${first}${query.size ? `?${query}` : ""}`, true);
    document.title = `${known?.title ?? "…"} · playmill`;
  }, [known, first, query]);
  const Page = known && SHOW[known.name];
  return <Mishap>{Page && <Page />}</Mishap>;
}
