import { Check } from "lucide-react";
import { restoredCopy } from "#app/copy/restored.ts";
import type { RestoreView } from "#core/restores/views.ts";
import { restoredRows } from "./restored-view.ts";

const copy = restoredCopy.restored;

/** How much of each kind came back. */
export function RestoredTable({ restore }: { restore: RestoreView }) {
  const rows = restoredRows(restore);
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
              <th className="num">{copy.count}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, name, count }) => (
              <tr key={kind}>
                <td className="medium">
                  <Check className="ok-t" aria-hidden />
                  {name}
                </td>
                <td className="num">{count.toLocaleString("en-US")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
