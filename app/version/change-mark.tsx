import { compareCopy as copy } from "#app/copy/compare.ts";

const MARKS = { added: "+", changed: "~", removed: "−" } as const;

/** A sign for a difference, with a text alternative for screen readers. */
export function ChangeMark({ change }: { change: keyof typeof MARKS }) {
  return (
    <span className={`change-mark is-${change}`} title={copy.marks[change]}>
      <span aria-hidden>{MARKS[change]}</span>
      <span className="sr">{copy.marks[change]}</span>
    </span>
  );
}

/** Numbers of added, changed and removed things. */
export function Tally({ counts }: { counts: Record<keyof typeof MARKS, number> }) {
  return (
    <span className="tally">
      {(["added", "changed", "removed"] as const)
        .filter((change) => counts[change] > 0)
        .map((change) => (
          <span key={change}>
            <b className={`is-${change}`}>
              {MARKS[change]}
              {counts[change].toLocaleString("en-US")}
            </b>{" "}
            {copy.tally[change]}
          </span>
        ))}
    </span>
  );
}
