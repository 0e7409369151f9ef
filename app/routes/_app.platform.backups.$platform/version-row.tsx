import { Link } from "@remix-run/react";
import { ArrowUpRight, Eraser } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { isOffered } from "#app/api/call-platform.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { ProgressRow } from "#app/components/progress-row.tsx";
import { RowNote } from "#app/components/row-note.tsx";
import { browseCopy } from "#app/copy/browse.ts";
import { historyCopy as copy, eraseCopy, scopeCopy } from "#app/copy/history.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { roleCopy } from "#app/copy/shared.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateText } from "#app/format/dates.ts";
import { VersionVerified } from "#app/history/version-verified.tsx";
import { placeIn, restoredPath } from "#app/version/address.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { HistoryRow, HistoryView } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { CloneAction } from "./clone-action.tsx";
import { CopyMark } from "./copy-mark.tsx";
import { ReachedZip } from "./reached-zip.tsx";
import { isComparable, type Ticks } from "./use-ticks.ts";
import {
  ErasedNote,
  FailureNote,
  SkippedNote,
  UnprovenNote,
  UnreachableNote,
  VerifyNote,
} from "./version-notes.tsx";
import { VersionStatus } from "./version-status.tsx";
import { ZipAction } from "./zip-action.tsx";

export type VersionTableProps = {
  item: ItemView;
  name: string;
  view: HistoryView;
  /** Starts at 0. */
  page: number;
  /** Why the requested page could not be loaded; the shown rows are the last good ones. */
  failure: string | null;
  /** Another page is loading. */
  isLoading: boolean;
  canManage: boolean;
  isOwner: boolean;
  /** The platform accepts our access. Without it nothing can be restored there. */
  isConnected: boolean;
  timeZone: string;
  now: number;
  onRestore: (snapshotId: string) => void;
  /** Asks to erase a version; `time` is when it was taken, in words. */
  onErase: (snapshotId: string, time: string) => void;
  /** Shows what a version covers; `time` is when it was taken, in words. */
  onScope: (snapshotId: string, time: string) => void;
  onFirstPage: () => void;
};

export type VersionRowProps = VersionTableProps & {
  row: HistoryRow;
  day: string;
  isSameDay: boolean;
  hasNewSize: boolean;
  /** The row's time; with seconds where a minute repeats. */
  time: string;
  /** Null = the member may not compare. */
  ticks: Ticks | null;
};

/** One history row, with its progress, failure or details below. */
export function VersionRow(props: VersionRowProps) {
  const { row, day, isSameDay, hasNewSize, time, ticks, timeZone, now } = props;
  const [isOpen, setIsOpen] = useState(false);
  const noteId = useId();
  const notes = notesOf(props, isOpen);
  const details = { isOpen, noteId, onToggle: () => setIsOpen(!isOpen) };
  return (
    <>
      <tr className={rowClass(notes.length > 0, ticks?.has(row) === true)}>
        {ticks !== null && <TickCell row={row} version={`${day} ${time}`} ticks={ticks} />}
        <td className="mono ledger-date">{isSameDay ? <span className="rep">{day}</span> : day}</td>
        <td className="mono v-time">{time}</td>
        <td className="soft v-type">{copy.types[row.type]}</td>
        <td className="num v-size">
          <Size bytes={row.sizeBytes ?? runningBytes(row)} />
        </td>
        {hasNewSize && (
          <td className="num v-new">
            <Size bytes={row.newBytes} />
          </td>
        )}
        <td className="v-st">
          {hasDetails(row) ? (
            <DetailsButton title={copy.skipped.show} {...details}>
              <VersionStatus row={row} />
            </DetailsButton>
          ) : (
            <VersionStatus row={row} />
          )}
        </td>
        <td className="v-ver">
          {isIntactOnly(row) ? (
            <DetailsButton title={copy.verify.show} {...details}>
              <VersionVerified row={row} timeZone={timeZone} now={now} />
            </DetailsButton>
          ) : (
            <VersionVerified row={row} timeZone={timeZone} now={now} />
          )}
          <CopyMark of={row.copy} timeZone={timeZone} now={now} />
        </td>
        <td className="mono-meta nowrap v-keep">
          {row.keptUntil !== null && dateText(row.keptUntil, timeZone, now)}
        </td>
        <td className="v-act">
          <RowActions {...props} />
        </td>
      </tr>
      {notes.length > 0 && (
        <tr className="sub">
          <td className="sub__gap" colSpan={ticks === null ? 1 : 2} />
          <td colSpan={hasNewSize ? 8 : 7} id={noteId}>
            {notes}
          </td>
        </tr>
      )}
    </>
  );
}

function rowClass(hasSub: boolean, isOn: boolean): string | undefined {
  return [hasSub && "has-sub", isOn && "is-on"].filter(Boolean).join(" ") || undefined;
}

/** Ticks a version for a comparison. Restores and failed runs have no version to compare. */
function TickCell({ row, version, ticks }: { row: HistoryRow; version: string; ticks: Ticks }) {
  return (
    <td className="v-tick">
      {isComparable(row) && (
        <Checkbox
          aria-label={copy.compare.tick(version)}
          checked={ticks.has(row)}
          onCheckedChange={() => ticks.toggle(row)}
        />
      )}
    </td>
  );
}

/** Opens and closes the details. */
function DetailsButton({
  title,
  isOpen,
  noteId,
  onToggle,
  children,
}: {
  title: string;
  isOpen: boolean;
  noteId: string;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className="plain-btn link"
      aria-expanded={isOpen}
      aria-controls={isOpen ? noteId : undefined}
      title={title}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}

function notesOf(
  { row, item, name, view, canManage, timeZone, now }: VersionRowProps,
  isOpen: boolean,
): ReactNode[] {
  const notes: ReactNode[] = [];
  if (row.progress !== null && (row.status === "running" || row.status === "queued")) {
    notes.push(
      <ProgressRow
        key="progress"
        progress={row.progress}
        name={name}
        label={descriptors.find(({ id }) => id === item.platform)?.label ?? item.platform}
        isAlone
        timeZone={timeZone}
        now={now}
      />,
    );
  }
  if (row.status === "failed") {
    notes.push(
      <FailureNote key="failed" row={row} item={item} rows={view.rows} timeZone={timeZone} now={now} />,
    );
  }
  if (row.verify?.state === "failed") notes.push(<VerifyNote key="verify" row={row} />);
  if (row.erasedAt !== null)
    notes.push(<ErasedNote key="erased" at={row.erasedAt} timeZone={timeZone} now={now} />);
  if (row.restoreObstacle !== null)
    notes.push(
      <RowNote key="obstacle">
        {copy.restoreObstacle} {row.restoreObstacle}
      </RowNote>,
    );
  if (row.unreachable !== null && row.snapshotId !== null) {
    const { platform, kind, id: itemId } = item;
    const isOfferedHere = canManage && row.unreachable.bytes !== null;
    const action = isOfferedHere && (
      <ReachedZip {...{ platform, kind, itemId, snapshotId: row.snapshotId }} />
    );
    notes.push(<UnreachableNote key="unreachable" {...row.unreachable} action={action} />);
  }
  if (isOpen && isIntactOnly(row)) notes.push(<UnprovenNote key="unproven" row={row} />);
  if (isOpen && row.skippedCount > 0)
    notes.push(<SkippedNote key="skipped" row={row} platform={item.platform} />);
  return notes;
}

/** True when there are details: skipped parts of a backup. */
function hasDetails(row: HistoryRow): boolean {
  return row.status === "success" && row.skippedCount > 0;
}

/** Verified byte for byte, with a note about what the verification could not look into. */
function isIntactOnly({ verify }: HistoryRow): boolean {
  return verify?.state === "intact" && verify.text !== null;
}

function RowActions(props: VersionRowProps) {
  const {
    row,
    item,
    day,
    time,
    canManage,
    isOwner,
    isConnected,
    timeZone,
    now,
    onRestore,
    onErase,
    onScope,
  } = props;
  if (row.status !== "success") return null;
  const version = `${day} ${time}`;
  if (row.type === "restore") return <RestoreActions row={row} item={item} version={version} />;
  const { snapshotId } = row;
  if (snapshotId === null) return null;
  const reason = canManage ? null : roleCopy.reason;
  const lost = isConnected ? null : restoreCopy.reasons.disconnected;
  const forbidden = row.canRestore ? null : restoreCopy.reasons.forbidden;
  const block = reason ?? row.restoreObstacle ?? lost ?? forbidden;
  const supports = descriptors.find(({ id }) => id === item.platform)?.supports;
  return (
    <div className="row-actions">
      {isOffered({ platform: item.platform, does: "request-zip", kind: item.kind }) && (
        <ZipAction
          platform={item.platform}
          kind={item.kind}
          itemId={item.id}
          snapshotId={snapshotId}
          version={version}
          zip={row.zip}
          now={now}
          reason={reason}
        />
      )}
      {supports?.gitClone && (
        <CloneAction
          platform={item.platform}
          itemId={item.id}
          name={item.name}
          snapshotId={snapshotId}
          version={version}
          timeZone={timeZone}
          now={now}
          reason={reason}
        />
      )}
      {supports?.scope && canManage && (
        <Button
          variant="ghost"
          size="s"
          aria-label={scopeCopy.viewOf(version)}
          onClick={() => onScope(snapshotId, version)}
        >
          {scopeCopy.view}
        </Button>
      )}
      {canManage && (
        <Link
          className={buttonClass({ variant: "ghost", size: "s" })}
          to={placeIn({ platform: item.platform, itemId: item.id, snapshotId }, null)}
          aria-label={browseCopy.openName(version)}
        >
          {browseCopy.open}
        </Link>
      )}
      {isOwner && (
        <IconButton label={eraseCopy.of(version)} onClick={() => onErase(snapshotId, version)}>
          <Eraser aria-hidden />
        </IconButton>
      )}
      <Button
        size="s"
        aria-disabled={block !== null}
        aria-label={`${restoreCopy.restore} ${version}`}
        aria-description={block ?? undefined}
        title={block ?? undefined}
        onClick={() => onRestore(snapshotId)}
      >
        {restoreCopy.restore}
      </Button>
    </div>
  );
}

/** The report of a restore, and what it was restored to. */
function RestoreActions({ row, item, version }: { row: HistoryRow; item: ItemView; version: string }) {
  return (
    <div className="row-actions">
      {row.restoredTo !== null && <RestoredTo {...row.restoredTo} />}
      {row.outcome !== null && (
        <Link
          className={buttonClass({ variant: "ghost", size: "s" })}
          to={restoredPath({ platform: item.platform, itemId: item.id }, row.key)}
          aria-label={copy.report.of(version)}
        >
          {copy.report.word}
        </Link>
      )}
    </div>
  );
}

function RestoredTo({ name, url }: NonNullable<HistoryRow["restoredTo"]>) {
  if (url === null) return <span className="zip-state soft clip">{name}</span>;
  return (
    <a className="zip-state link" href={url} target="_blank" rel="noreferrer">
      <span className="clip">{name}</span>
      <ArrowUpRight className="icon-s" aria-hidden />
    </a>
  );
}

function Size({ bytes }: { bytes: number | null }) {
  if (bytes !== null) return bytesText(bytes);
  return (
    <>
      <span aria-hidden className="hide-s">
        -
      </span>
      <span className="sr">{copy.sizeUnknown}</span>
    </>
  );
}

function runningBytes(row: HistoryRow): number | null {
  return row.progress !== null && row.progress.bytesRead > 0 ? row.progress.bytesRead : null;
}
