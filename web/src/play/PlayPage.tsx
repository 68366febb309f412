/** Playing: the lobby, and a table. */

import { Frame } from "../shell/Frame";
import { useRoute } from "../shell/route";
import { KeptReplay } from "./KeptReplay";
import { Lobby } from "./Lobby";
import { Table } from "./Table";

export function PlayPage() {
  const { rest } = useRoute();
  const [name = "", part] = rest.split("/");
  return (
    <Frame page="play">
      <main className="sheet">
        <div className="sheet-inner">
          {!name && <Lobby />}
          {name && part !== "replay" && <Table key={name} name={name} />}
          {name && part === "replay" && <KeptReplay key={name} name={name} />}
        </div>
      </main>
    </Frame>
  );
}
