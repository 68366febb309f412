/** A game at a table: what the server last said of it, shown move by move. The server has the game; this only looks and asks. */

import { useCallback, useEffect, useRef, useState } from "react";
import { type Opinion, type TableData, fetchOpinion, fetchTable, sendMove, sendUndo } from "../api/play";
import type { BoardView } from "../boards/view";
import { useCalm } from "../design/theme";

const THINKING_MS = 250;
const LOST_MS = 1500;
const STEP_MS = 550; // between moves that were made while nobody looked

export interface AtTable {
  readonly table: TableData | null;
  readonly board: BoardView | null;
  readonly shown: number; // moves that the board has
  readonly opinion: Opinion | null;
  readonly isAsking: boolean;
  readonly trouble: string;
  readonly play: (action: number) => void;
  readonly undo: () => void;
  readonly askOpinion: () => void;
  readonly complain: (error: Error) => void;
}

export function useTable(name: string): AtTable {
  const [table, setTable] = useState<TableData | null>(null);
  const [shown, setShown] = useState(-1);
  const [trouble, setTrouble] = useState("");
  const [opinion, setOpinion] = useState<Opinion | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [tries, setTries] = useState(0);
  const boards = useRef(new Map<number, BoardView>());
  const isCalm = useCalm();

  const take = useCallback((found: TableData) => {
    found.boards.forEach((board, i) => boards.current.set(found.first + i, board));
    setTable(found);
    setTrouble("");
    setShown((before) => (before < 0 || before > found.ply ? found.ply : Math.max(before, found.first)));
  }, []);
  const complain = useCallback((error: Error) => setTrouble(error.message), []);

  const isThinking = !table || table.is_thinking;
  const ply = table?.ply ?? -1;
  useEffect(() => {
    if (!isThinking && !trouble) return;
    const look = () => fetchTable(name, Math.max(0, ply)).then(take, (error: Error) => (complain(error), setTries((n) => n + 1)));
    const timer = setTimeout(look, trouble ? LOST_MS : table ? THINKING_MS : 0);
    return () => clearTimeout(timer);
  }, [name, table, isThinking, trouble, ply, tries, take, complain]);

  useEffect(() => {
    if (!table || shown >= table.ply) return;
    const timer = setTimeout(() => setShown((before) => before + 1), isCalm ? 0 : STEP_MS);
    return () => clearTimeout(timer);
  }, [table, shown, isCalm]);

  const play = (action: number) => {
    if (!table || isThinking || shown !== table.ply) return;
    setTable({ ...table, is_thinking: true, legal: [] });
    setOpinion(null);
    sendMove(name, table.ply, action).then(take, (error: Error) => {
      complain(error);
      fetchTable(name, table.ply).then(take, complain);
    });
  };
  const undo = () => {
    setOpinion(null);
    sendUndo(name).then((found) => {
      boards.current.clear();
      take(found);
    }, complain);
  };
  const askOpinion = () => {
    setAsking(true);
    fetchOpinion(name)
      .then(setOpinion, complain)
      .finally(() => setAsking(false));
  };
  const board = boards.current.get(shown) ?? null;
  return { table, board, shown, opinion: opinion?.ply === ply ? opinion : null, isAsking, trouble, play, undo, askOpinion, complain };
}
