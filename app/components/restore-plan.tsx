import { Minus, Plus } from "lucide-react";
import { restoreCopy } from "#app/copy/restore.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { Callout } from "./callout.tsx";

/** What a restore brings back and what it cannot, in the platform's own words, before anything happens. */
export function RestorePlan({ item, version }: { item: ItemView; version: HistoryRow | null }) {
  const words = uis[item.platform]?.restore;
  const comesBack = words?.comesBack[item.kind] ?? [];
  const cannot = words?.cannot[item.kind] ?? [];
  const skipped = version?.skippedCount ?? 0;
  return (
    <aside className="restore-plan" aria-label={restoreCopy.comesBack}>
      <h3>
        <Plus aria-hidden />
        {restoreCopy.comesBack}
      </h3>
      <ul>
        {comesBack.map((sentence) => (
          <li key={sentence} className="is-ink">
            {sentence}
          </li>
        ))}
      </ul>
      <h3 className="restore-plan__next">
        <Minus aria-hidden />
        {restoreCopy.cannot}
      </h3>
      <ul>
        {skipped > 0 && <li className="is-ink">{restoreCopy.skipped(skipped)}</li>}
        {cannot.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {item.visibility !== "private" && (
        <div className="restore-plan__next">
          <Callout tone="warn">{restoreCopy.publicSource}</Callout>
        </div>
      )}
    </aside>
  );
}
