/** What is known about a puzzle besides its position: how hard, how sure, where from. */

import { useState, type ReactNode } from "react";
import type { Puzzle } from "../api/puzzles";
import { sgfPointName } from "../boards/go/points";
import { Badge, Button, Meter } from "../design/parts";

export function Facts({ puzzle }: { puzzle: Puzzle }) {
  const { facts } = puzzle;
  const unit = facts.verification === "proved" ? "nodes" : "visits";
  const names = (points: readonly string[]) => points.map((point) => sgfPointName(puzzle.position.size, point)).join(" ");
  return (
    <section className="card facts" aria-label="Facts">
      <header>
        <span className="rank-large">{puzzle.difficulty}</span>
        <Meter label="difficulty" value={facts.difficulty_score / 100} />
        {facts.verification === "proved" ? (
          <Badge tone="good" title="Proved by the local solver: every other first move fails">
            ✓ proved
          </Badge>
        ) : (
          <Badge tone="warn" title="Judged by an engine, not proved">
            engine
          </Badge>
        )}
      </header>
      <div className="parts">
        {Object.entries(facts.difficulty_parts).map(([name, value]) => (
          <Meter key={name} label={name.replaceAll("_", " ")} value={value} />
        ))}
      </div>
      {puzzle.tags.length > 0 && (
        <p className="tag-line">
          {puzzle.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      <dl>
        <Fact name="Source">{facts.source}</Fact>
        <Fact name="Move">after {facts.original_move_number}</Fact>
        {facts.left_out !== null && <Fact name="Left out">{names([facts.left_out])}, a stone of the game</Fact>}
        {facts.added.length > 0 && <Fact name="Added">{names(facts.added)}, not in the game</Fact>}
        <Fact name="Judge">{[facts.engine, facts.network].filter(Boolean).join(", ")}</Fact>
        <Fact name="Budget">
          {facts.budget.toLocaleString("en")} {unit}
        </Fact>
        {facts.katago_winrate_drop !== null && (
          <Fact name="Game's move lost">{percent(facts.katago_winrate_drop)} of winrate</Fact>
        )}
        {facts.score_loss !== null && <Fact name="… and">{facts.score_loss.toFixed(1)} points</Fact>}
        <Fact name="Id">
          <code>{puzzle.name}</code>
        </Fact>
        <Fact name="Made by">{facts.generator.replace(/^(?!playmill)/, "playmill ")}</Fact>
      </dl>
      <CopyButton text={puzzle.sgf} />
    </section>
  );
}

/** Puts the position as SGF where other programs find it. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState("");
  return (
    <Button tone="quiet" className="copy" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(text))}>
      {copied === text ? "Copied" : "Copy the position as SGF"}
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
