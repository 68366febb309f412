/** Runs: the list, one of them live, several compared, and their games. */

import { Frame } from "../shell/Frame";
import { useRoute } from "../shell/route";
import { Compare } from "./Compare";
import { GamesOfRun } from "./GamesOfRun";
import { RunList } from "./RunList";
import { RunPage } from "./RunPage";

export function RunsPage() {
  const { rest, query } = useRoute();
  const compared = query.get("compare")?.split(",").filter(Boolean) ?? [];
  const [name = "", part, file, number] = rest.split("/");
  return (
    <Frame page="runs">
      <main className="sheet">
        <div className="sheet-inner">
          {!name && compared.length > 1 && <Compare names={compared} />}
          {!name && compared.length < 2 && <RunList />}
          {name && part !== "games" && <RunPage key={name} name={name} />}
          {name && part === "games" && <GamesOfRun key={name} name={name} file={file} number={number} />}
        </div>
      </main>
    </Frame>
  );
}
