import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { RowNote } from "#app/components/row-note.tsx";
import { coverageCopy } from "#app/copy/coverage.ts";
import { historyCopy as copy } from "#app/copy/history.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { restorableVersions } from "#app/restore/restore-form.ts";
import { coveragePath } from "#app/version/address.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** A failure: what happened, what is kept, what to do (spec P-194 for restores). */
export function FailureNote({
  row,
  item,
  rows,
  timeZone,
  now,
}: {
  row: HistoryRow;
  item: ItemView;
  rows: readonly HistoryRow[];
  timeZone: string;
  now: number;
}) {
  const what = row.errorText ?? copy.failed.noReason;
  if (row.type === "restore") {
    const label = descriptors.find(({ id }) => id === item.platform)?.label ?? item.platform;
    return (
      <RowNote what={what}>
        {copy.failed.keptRestore} {restoreWords[item.platform]?.failed ?? copy.failed.hint(label)}
      </RowNote>
    );
  }
  const kept = restorableVersions(rows).find((other) => other.date < row.date);
  return (
    <RowNote what={what}>
      {kept === undefined ? copy.failed.kept : copy.failed.keptSince(dateTimeText(kept.date, timeZone, now))}{" "}
      {item.nextDueAt !== null && copy.failed.next(dateTimeText(item.nextDueAt, timeZone, now))}
    </RowNote>
  );
}

/** What the verification of a version found wrong. */
export function VerifyNote({ row }: { row: HistoryRow }) {
  return (
    <RowNote what={row.verify?.text ?? copy.verify.failedText}>
      {copy.verify.failedKept} {copy.verify.failedDo}
    </RowNote>
  );
}

/** What the verification could not look into, one line each: where, and why. */
export function UnprovenNote({ row }: { row: HistoryRow }) {
  const lines = (row.verify?.text ?? "").split("\n");
  return (
    <div className="version-details">
      <h2>{copy.verify.unproven}</h2>
      <ul>
        {lines.map((line) => {
          const at = line.indexOf(": ");
          return (
            <li key={line}>
              <span className="mono-meta">{line.slice(0, Math.max(0, at))}</span>
              <span>{line.slice(at < 0 ? 0 : at + 2)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** When a version was erased: all that is left of it. */
export function ErasedNote({ at, timeZone, now }: { at: number; timeZone: string; now: number }) {
  return <RowNote>{copy.erased(dateTimeText(at, timeZone, now))}</RowNote>;
}

/** What a version holds although no branch or tag leads to it any more. */
export function UnreachableNote({
  objects,
  bytes,
  action,
}: NonNullable<HistoryRow["unreachable"]> & { action: ReactNode }) {
  return (
    <RowNote actions={action}>
      {copy.unreachable.what(objects, bytes === null ? null : bytesText(bytes))} {copy.unreachable.where}
    </RowNote>
  );
}

/** What a version does not contain, and why. */
export function SkippedNote({ row, platform }: { row: HistoryRow; platform: string }) {
  const more = row.skippedCount - row.skipped.length;
  return (
    <div className="version-details">
      <h2>{copy.skipped.title}</h2>
      <ul>
        {row.skipped.map(({ path, reason }) => (
          <li key={path}>
            <span className="mono-meta">{path}</span>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="meta">{copy.skipped.more(more)}</p>}
      <p>
        <Link className="link" to={coveragePath(platform)}>
          {coverageCopy.title}
        </Link>
      </p>
    </div>
  );
}
