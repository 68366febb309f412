import { createRoot } from "react-dom/client";
import "./design/tokens.css";
import "./design/base.css";
import "./design/parts.css";
import "./design/chart.css";
import "./shell/frame.css";
import "./puzzles/list.css";
import "./puzzles/solver.css";
import "./puzzles/details.css";
import "./puzzles/review.css";
import "./puzzles/page.css";
import "./boards/boards.css";
import "./runs/runs.css";
import "./runs/replay.css";
import "./play/play.css";
import { App } from "./shell/App";

createRoot(document.getElementById("root")!).render(<App />);
