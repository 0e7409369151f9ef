import { Check, Minus } from "lucide-react";
import { restoredCopy } from "#app/copy/restored.ts";
import type { RestoreView } from "#core/restores/views.ts";
import { restoredRows } from "./restored-view.ts";

const copy = restoredCopy.restored;

/** How much of each kind the version holds, and how much came back. */
export function RestoredTable({ restore }: { restore: RestoreView }) {
  const rows = restoredRows(restore);
  const hasHeld = rows.some(({ held }) => held !== null);
  return (
    <section aria-label={copy.title}>
      <div className="section-head">
        <h2>{copy.title}</h2>
      </div>
      {rows.length === 0 ? (
        <p className="soft">{copy.none}</p>
      ) : (
        <table className="restored-table" aria-label={copy.title}>
          <thead>
            <tr>
              <th>{copy.kind}</th>
              {hasHeld && <th className="num">{copy.held}</th>}
              <th className="num">{copy.count}</th>
              {hasHeld && <th className="restored-table__state">{copy.state}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, name, count, held }) => (
              <tr key={kind}>
                <td className="medium">
                  {!hasHeld && <Check className="ok-t" aria-hidden />}
                  {name}
                </td>
                {hasHeld && <td className="num">{held?.toLocaleString("en-US")}</td>}
                <td className="num">{count.toLocaleString("en-US")}</td>
                {hasHeld && (
                  <td className="restored-table__state">
                    <State count={count} held={held} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Whether all of a kind came back. What is missing, and why, is among the notes. */
function State({ count, held }: { count: number; held: number | null }) {
  if (held === null) return null;
  return count >= held ? (
    <>
      <Check className="ok-t" aria-hidden />
      {copy.all}
    </>
  ) : (
    <>
      <Minus className="soft" aria-hidden />
      {restoredCopy.cards.of(count, held)}
    </>
  );
}
