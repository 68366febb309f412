/** How far the review is: a bar and three counts. */

export function Progress({ counts }: { counts: readonly [number, number, number] }) {
  const [open, approved, deleted] = counts;
  const total = Math.max(1, open + approved + deleted);
  const share = (count: number) => ({ width: `${(100 * count) / total}%` });
  return (
    <div className="progress" role="group" aria-label="Progress of the review">
      <div className="progress-bar" role="img" aria-label={`${Math.round((100 * (approved + deleted)) / total)} % reviewed`}>
        <span className="approved" style={share(approved)} />
        <span className="deleted" style={share(deleted)} />
      </div>
      <span className="counts">
        <span className="approved" data-count="approved">
          {approved.toLocaleString("en")} approved
        </span>
        <span className="deleted" data-count="deleted">
          {deleted.toLocaleString("en")} deleted
        </span>
        <span data-count="open">{open.toLocaleString("en")} open</span>
      </span>
    </div>
  );
}
