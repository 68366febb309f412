/** The board of whatever game it is. */

import { ConnectFourBoard } from "./connect_four/ConnectFourBoard";
import { ExchangeBoard } from "./exchange/ExchangeBoard";
import { GoTable } from "./go/GoTable";
import { PictureBoard } from "./picture/PictureBoard";
import { TicTacToeBoard } from "./tictactoe/TicTacToeBoard";
import type { BoardProps } from "./view";
import { YatzyBoard } from "./yatzy/YatzyBoard";

export function Board(props: BoardProps) {
  const { view } = props;
  switch (view.kind) {
    case "connect_four":
      return <ConnectFourBoard {...props} view={view} />;
    case "tictactoe":
      return <TicTacToeBoard {...props} view={view} />;
    case "yatzy":
      return <YatzyBoard {...props} view={view} />;
    case "exchange":
      return <ExchangeBoard {...props} view={view} />;
    case "go":
      return <GoTable {...props} view={view} />;
    default:
      return <PictureBoard {...props} view={view} />;
  }
}
