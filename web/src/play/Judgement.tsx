/** What a search makes of the moves: its policy as bars, visits and values, and in a solved game what each gives away. */

import type { Judged } from "../api/play";

const SHOWN = 6;

interface JudgementProps {
  readonly title: string;
  readonly note: string;
  readonly value: number | null;
  readonly rows: readonly Judged[];
  readonly played?: number;
  readonly whose?: string;
  readonly isTruth?: boolean; // only what is known of the solved game
}

export function Judgement({ title, note, value, rows, played, whose = "you", isTruth = false }: JudgementProps) {
  const hasVisits = !isTruth && rows.some(({ visits }) => visits !== null);
  const hasValues = !isTruth && rows.some(({ value }) => value !== null);
  const hasRegret = rows.some(({ regret }) => regret != null);
  return (
    <section className="card judgement" aria-label={title}>
      <h2>{title}</h2>
      <p className="note">
        {note}
        {value !== null && (
          <>
            ; worth <b>{signed(value)}</b> to {whose}
          </>
        )}
      </p>
      <table>
        <thead>
          <tr>
            <th>move</th>
            {!isTruth && <th>policy</th>}
            {hasVisits && <th>visits</th>}
            {hasValues && <th>value</th>}
            {hasRegret && <th>regret</th>}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row) => (
            <tr key={row.action} className={row.action === played || row.is_best ? "did" : undefined}>
              <td>{row.text.replaceAll("_", " ")}</td>
              {!isTruth && (
                <td className="share">
                  <progress max={1} value={row.policy} aria-label={`policy of ${row.text}`} />
                  <span>{Math.round(row.policy * 100)}%</span>
                </td>
              )}
              {hasVisits && <td>{row.visits}</td>}
              {hasValues && <td>{row.value === null ? "" : signed(row.value)}</td>}
              {hasRegret && <td>{row.regret == null ? "" : row.regret < 0.005 ? "best" : `−${row.regret.toFixed(2)}`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function signed(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}
