import { CircleX } from "lucide-react";
import { type CSSProperties, useState } from "react";
import { runsCopy as copy } from "#app/copy/runs.ts";
import { nextDay } from "#app/history/ribbon-readout.tsx";
import {
  cellPercent,
  cellText,
  type Reading,
  roundSentence,
  roundSummary,
  roundSums,
} from "#app/runs/round-words.ts";
import type { OpenRun, RoundCell, RunsView } from "#core/rounds/views.ts";

/** How many items of the round are done, in numbers, words and cells. Nothing while the round has no items. */
export function RoundHead({ view, reading }: { view: RunsView; reading: Reading }) {
  const { round } = view;
  const { ended, total, failed } = roundSums(round.counts);
  if (total === 0) return null;
  return (
    <section className="round-head">
      <p className="round-head__n">
        {copy.headline(ended, total)} <small>{copy.headlineSmall(total)}</small>
      </p>
      <p className="round-head__t">
        {roundSentence(view, reading).map((part) => (
          <span key={part}>{part}</span>
        ))}
        {failed > 0 && (
          <span className="status-badge bad-t">
            <CircleX aria-hidden />
            {copy.failed(failed)}
          </span>
        )}
      </p>
      {round.cells === null ? (
        <RoundShares view={view} />
      ) : (
        <RoundCells
          cells={round.cells}
          summary={roundSummary(round)}
          runs={[...view.running, ...view.queue]}
          reading={reading}
        />
      )}
    </section>
  );
}

/** One cell an item, with a line below that reads the one under the pointer or chosen with the arrow keys. */
function RoundCells({
  cells,
  summary,
  runs,
  reading,
}: {
  cells: readonly RoundCell[];
  summary: string;
  runs: readonly OpenRun[];
  reading: Reading;
}) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = cells.length - 1;
  const at = Math.min(pointed ?? 0, last);
  const cell = cells[at];
  if (cell === undefined) return null;
  const text = cellText(cell, runs, reading);
  return (
    <div className="ribbon-block">
      <div
        className="ribbon-read"
        role="slider"
        tabIndex={0}
        aria-label={copy.roundLabel(summary)}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={text}
        onKeyDown={(event) => {
          const next = pointed === null ? 0 : nextDay(event, at, last);
          if (next === null || nextDay(event, at, last) === null) return;
          event.preventDefault();
          setPointed(next);
        }}
        onPointerMove={(event) => {
          const index = (event.target as HTMLElement).dataset.index;
          if (index !== undefined) setPointed(Number(index));
        }}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
      >
        <span
          className={cells.length > 40 ? "retention-ribbon round is-many" : "retention-ribbon round"}
          aria-hidden
        >
          {cells.map((one, index) => (
            <i
              key={one.itemId}
              data-index={index}
              className={`${CLASSES[one.state]}${pointed === index ? " at" : ""}`}
              style={fillOf(one, runs, reading.now)}
            />
          ))}
        </span>
      </div>
      <p className="ribbon-line meta" aria-hidden>
        {pointed === null ? copy.hint : text}
      </p>
    </div>
  );
}

const CLASSES = {
  good: "k",
  retried: "t",
  failed: "f",
  running: "w",
  waiting: "w is-wait",
  queued: "m",
  due: "m",
} as const;

function fillOf(cell: RoundCell, runs: readonly OpenRun[], now: number): CSSProperties | undefined {
  if (cell.state !== "running" && cell.state !== "waiting") return undefined;
  const percent = cellPercent(cell, runs, now);
  /* A hatched cell without a known share is hatched whole. */
  const shown = percent ?? (cell.state === "waiting" ? 100 : 0);
  return { backgroundSize: `100% ${shown}%` };
}

/** The shares of a round that has too many items to draw each. */
function RoundShares({ view }: { view: RunsView }) {
  const { counts } = view.round;
  const shares = [
    ["k", counts.good + counts.retried],
    ["f", counts.failed],
    ["w", counts.running + counts.waiting],
    ["m", counts.queued + counts.due],
  ] as const;
  return (
    <div className="ribbon-block">
      <span
        className="retention-ribbon round is-shares"
        role="img"
        aria-label={copy.roundLabel(roundSummary(view.round))}
      >
        {shares.map(([name, count]) =>
          count === 0 ? null : <i key={name} className={name} style={{ flexGrow: count }} />,
        )}
      </span>
      <p className="ribbon-line meta">{copy.tooMany}</p>
    </div>
  );
}
