import { Check } from "lucide-react";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";

/** The current step, from 0 (spec P-104). */
export function BulkSteps({ now }: { now: 0 | 1 }) {
  return (
    <ol className="stepper">
      {copy.steps.map((word, index) => (
        <li
          key={word}
          className={index === now ? "is-now" : index < now ? "is-done" : undefined}
          aria-current={index === now ? "step" : undefined}
        >
          {index < now ? <Check className="ok-t" aria-hidden /> : <span className="n">{index + 1}</span>}
          {word}
        </li>
      ))}
    </ol>
  );
}
