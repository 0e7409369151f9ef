import { type CSSProperties, useEffect, useId, useRef, useState } from "react";
import { restoreCopy } from "#app/copy/restore.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dayKey, fullDateTimeText } from "#app/format/dates.ts";
import { RetentionRibbon } from "#app/history/retention-ribbon.tsx";
import { VersionVerified } from "#app/history/version-verified.tsx";
import type { HistoryRow } from "#core/backups/views.ts";
import type { RibbonDay } from "#core/inventory/views.ts";

/** The version to restore, its position on the ribbon, and a button to choose another one. */
export function VersionStrip({
  ribbon,
  versions,
  version,
  isLoading,
  failure,
  timeZone,
  now,
  onChoose,
}: {
  ribbon: readonly RibbonDay[];
  versions: readonly HistoryRow[];
  version: HistoryRow | null;
  isLoading: boolean;
  failure: string | null;
  timeZone: string;
  now: number;
  onChoose: (snapshotId: string) => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  /* The select replaces the pressed button and takes over its focus. */
  useEffect(() => {
    if (isChoosing) select.current?.focus();
  }, [isChoosing]);
  if (version === null) {
    return (
      <div className="field">
        <span className="field__label">{restoreCopy.version}</span>
        <p className="version-strip" role="status">
          {isLoading ? restoreCopy.loadingVersions : (failure ?? restoreCopy.noVersion)}
        </p>
      </div>
    );
  }
  return (
    <div className="field">
      <span className="field__label">{restoreCopy.version}</span>
      <div className="version-strip">
        <div className="row between">
          <b className="mono medium">{fullDateTimeText(version.date, timeZone)}</b>
          <VersionVerified row={version} timeZone={timeZone} now={now} />
        </div>
        {ribbon.length > 0 && (
          <RetentionRibbon days={ribbon} isFill style={SMALL} picked={[dayKey(version.date, timeZone)]} />
        )}
        {isChoosing ? (
          <>
            <label className="sr" htmlFor={id}>
              {restoreCopy.chooseLabel}
            </label>
            <span className="text-field">
              <select
                id={id}
                ref={select}
                value={version.snapshotId ?? ""}
                onChange={(event) => onChoose(event.target.value)}
              >
                {versions.map((row) => (
                  <option key={row.key} value={row.snapshotId ?? ""}>
                    {restoreCopy.option(fullDateTimeText(row.date, timeZone), sizeText(row))}
                  </option>
                ))}
              </select>
            </span>
          </>
        ) : (
          <div className="row between meta">
            <span>
              {sizeText(version)}
              {version === versions[0] && `, ${restoreCopy.latestGood}`}
            </span>
            {versions.length > 1 && (
              <button type="button" className="link" onClick={() => setIsChoosing(true)}>
                {restoreCopy.chooseAnother}
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

const SMALL = { "--ch": "14px", "--cg": "1px" } as CSSProperties;

function sizeText(row: HistoryRow): string {
  return row.sizeBytes === null ? "-" : bytesText(row.sizeBytes);
}
