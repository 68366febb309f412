/** The filters above the list, kept in the address. */

import { useMemo, type SubmitEvent } from "react";
import type { PuzzleIndex } from "../api/puzzles";
import { Button, Select } from "../design/parts";
import type { Filter } from "./filter";

interface Props {
  readonly index: PuzzleIndex;
  readonly filter: Filter;
  readonly count: number;
  readonly onChange: (filter: Filter) => void;
  readonly onSubmit: () => void;
}

export function Filters({ index, filter, count, onChange, onSubmit }: Props) {
  const { ranks } = index;
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    document.getElementById("search")?.blur();
    onSubmit();
  };
  const isWide = filter.from === 0 && filter.to === ranks.length - 1;
  const isAll = isWide && !filter.tags.length && !filter.verification && !filter.decision && !filter.search;
  return (
    <form className="filters" role="search" aria-label="Filter puzzles" onSubmit={submit}>
      <input
        id="search"
        type="search"
        placeholder="Search by id  ( / )"
        aria-label="Search by id"
        spellCheck={false}
        autoComplete="off"
        value={filter.search}
        onChange={(event) => set({ search: event.target.value })}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <div className="filter-row">
        <Choice
          label="Decision"
          value={filter.decision}
          onChange={(decision) => set({ decision })}
          options={["open", "approved", "deleted"]}
        />
        <Choice
          label="Proof"
          value={filter.verification}
          onChange={(verification) => set({ verification })}
          options={["proved", "engine"]}
        />
      </div>
      <div className="filter-row">
        <Rank
          label="Easiest"
          ranks={ranks}
          value={filter.from}
          onChange={(from) => set({ from, to: Math.max(from, filter.to) })}
        />
        <span aria-hidden="true">to</span>
        <Rank label="Hardest" ranks={ranks} value={filter.to} onChange={(to) => set({ to, from: Math.min(to, filter.from) })} />
      </div>
      {index.tags.length > 0 && <Tags index={index} filter={filter} set={set} />}
      <div className="filter-row found">
        <span role="status">
          {count === index.names.length
            ? `${count.toLocaleString("en")} ${count === 1 ? "puzzle" : "puzzles"}`
            : `${count.toLocaleString("en")} of ${index.names.length.toLocaleString("en")}`}
        </span>
        {!isAll && (
          <Button
            tone="quiet"
            onClick={() => onChange({ tags: [], from: 0, to: ranks.length - 1, verification: "", decision: "", search: "" })}
          >
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}

function Tags({ index, filter, set }: { index: PuzzleIndex; filter: Filter; set: (change: Partial<Filter>) => void }) {
  const counts = useMemo(() => {
    const found = new Array<number>(index.tags.length).fill(0);
    for (const tags of index.tagged) for (const tag of tags) found[tag]! += 1;
    return found;
  }, [index]);
  return (
    <fieldset className="tags">
      <legend className="visually-hidden">Tags</legend>
      {index.tags.map((tag, at) => {
        const isOn = filter.tags.includes(tag);
        const tags = isOn ? filter.tags.filter((each) => each !== tag) : [...filter.tags, tag];
        return (
          <button
            key={tag}
            type="button"
            className="chip"
            aria-pressed={isOn}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => set({ tags })}
          >
            {tag} <small>{counts[at]!.toLocaleString("en")}</small>
          </button>
        );
      })}
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | "";
  readonly options: readonly Value[];
  readonly onChange: (value: Value | "") => void;
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as Value | "")}>
      <option value="">Any {label.toLowerCase()}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option[0]!.toUpperCase() + option.slice(1)}
        </option>
      ))}
    </Select>
  );
}

interface RankProps {
  readonly label: string;
  readonly ranks: readonly string[];
  readonly value: number;
  readonly onChange: (rank: number) => void;
}

function Rank({ label, ranks, value, onChange }: RankProps) {
  return (
    <Select aria-label={label} value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {ranks.map((rank, at) => (
        <option key={rank} value={at}>
          {rank}
        </option>
      ))}
    </Select>
  );
}
