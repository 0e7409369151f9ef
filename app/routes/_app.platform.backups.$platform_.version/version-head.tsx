import { Link } from "@remix-run/react";
import { ArrowLeft, ArrowRight, GitCompare, RotateCcw, ShieldAlert, ShieldCheck } from "lucide-react";
import { type CSSProperties, type ReactNode, useState } from "react";
import { isOffered } from "#app/api/call-platform.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { compareCopy } from "#app/copy/compare.ts";
import { coverageCopy } from "#app/copy/coverage.ts";
import { regionNames } from "#app/copy/regions.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { bytesText } from "#app/format/bytes.ts";
import { countText } from "#app/format/counts.ts";
import { clockOf, dateText, dayKey, fullDateText, secondText } from "#app/format/dates.ts";
import { RibbonReadout } from "#app/history/ribbon-readout.tsx";
import { verifiedAt, verifiedLong } from "#app/history/version-verified.tsx";
import type { RestoreDialogProps } from "#app/restore/restore-dialog.tsx";
import { comparePath, coveragePath, placeIn } from "#app/version/address.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { VersionFacts } from "#core/browsing/views.ts";
import { CloneAction } from "../_app.platform.backups.$platform/clone-action.tsx";
import { ZipAction } from "../_app.platform.backups.$platform/zip-action.tsx";
import { neighboursOf } from "./neighbours.ts";
import type { VersionPageData } from "./queries.server.ts";

const RestoreDialog = lazyDialog<RestoreDialogProps>(() => import("#app/restore/restore-dialog.tsx"), "l");
const SLIM = { "--ch": "14px", "--cg": "2px" } as CSSProperties;

/** The version's date as a title, with seconds: two versions may be of one minute. */
export function VersionTitle({ data, facts }: { data: VersionPageData; facts: VersionFacts }) {
  return (
    <span className="version-title">
      {fullDateText(facts.takenAt, data.timeZone)} {secondText(facts.takenAt, data.timeZone)}
    </span>
  );
}

/** What can be done with the version: compare, clone, download, restore. */
export function VersionActions({ data, facts }: { data: VersionPageData; facts: VersionFacts }) {
  const { platform, itemId, snapshotId, item, timeZone, now } = data;
  const [isRestoring, setIsRestoring] = useState(false);
  const version = `${dateText(facts.takenAt, timeZone, now)} ${secondText(facts.takenAt, timeZone)}`;
  const row = data.recent.find((each) => each.snapshotId === snapshotId && each.type === "backup");
  const canClone = descriptors.find(({ id }) => id === platform)?.supports.gitClone === true;
  const about = { platform, itemId, snapshotId, version, now, reason: null, isWide: true };
  return (
    <>
      <Link
        className={buttonClass({ variant: "ghost" })}
        to={comparePath(data, { to: snapshotId })}
        aria-label={compareCopy.withBefore}
      >
        <GitCompare aria-hidden />
        {copy.compare}
      </Link>
      {canClone && <CloneAction {...about} name={data.itemName} timeZone={timeZone} />}
      {isOffered({ platform, does: "request-zip", kind: item.kind }) && (
        <ZipAction
          {...about}
          kind={item.kind}
          zip={row?.zip ?? { status: "none", url: null, expiresAt: null }}
        />
      )}
      <Button
        variant="solid"
        reason={facts.isSound === false ? restoreCopy.reasons.forbidden : null}
        onClick={() => setIsRestoring(true)}
      >
        <RotateCcw aria-hidden />
        {restoreCopy.restore}
      </Button>
      <RestoreDialog
        isOpen={isRestoring}
        onClose={() => setIsRestoring(false)}
        item={item}
        snapshotId={snapshotId}
        rows={row === undefined ? undefined : data.recent}
        places={data.places}
        timeZone={timeZone}
        now={now}
      />
    </>
  );
}

/** The version on the ribbon, with the ways to the ones before and after it. */
export function VersionRibbon({ data, facts }: { data: VersionPageData; facts: VersionFacts }) {
  const { item, recent, snapshotId, timeZone, now } = data;
  const { before, after } = neighboursOf(recent, snapshotId);
  const clock = clockOf([...recent.map(({ date }) => date), facts.takenAt], timeZone);
  const words = (at: number) => `${dateText(at, timeZone, now)} ${clock(at)}`;
  const link = (row: NonNullable<typeof before>, children: ReactNode) => (
    <Link className="version-step" to={placeIn({ ...data, snapshotId: row.snapshotId }, null)}>
      {children}
    </Link>
  );
  if (item.ribbon.length === 0) return null;
  return (
    <div className="version-ribbon">
      <RibbonReadout
        days={item.ribbon}
        picked={[dayKey(facts.takenAt, timeZone)]}
        style={SLIM}
        rest={copy.opened(words(facts.takenAt))}
      />
      <p className="version-steps meta">
        {before !== null &&
          link(
            before,
            <>
              <ArrowLeft className="icon-s" aria-hidden />
              <span className="sr">{copy.olderVersion}</span> {words(before.date)}
            </>,
          )}
        {after !== null &&
          link(
            after,
            <>
              <span className="sr">{copy.newerVersion}</span> {words(after.date)}
              <ArrowRight className="icon-s" aria-hidden />
            </>,
          )}
      </p>
    </div>
  );
}

/** Four facts: verified, kept until, size, where it is stored. */
export function VersionFactCards({ data, facts }: { data: VersionPageData; facts: VersionFacts }) {
  const { timeZone, now } = data;
  const count = facts.kinds.reduce((all, each) => all + each.count, 0);
  const fresh = data.recent.find(({ snapshotId }) => snapshotId === data.snapshotId)?.newBytes ?? null;
  return (
    <dl className="info-cards">
      <div>
        <dt>{copy.cards.verified}</dt>
        <dd>
          <VersionMark data={data} facts={facts} />
        </dd>
        <dd className="info-cards__note">
          <span>
            {copy.cards.records(countText(count, "record", "records"))}
            {facts.skippedCount > 0 && `, ${copy.cards.skipped(facts.skippedCount)}`} ·{" "}
            <Link className="link" to={coveragePath(data.platform)}>
              {coverageCopy.title}
            </Link>
          </span>
        </dd>
      </div>
      <div>
        <dt>{copy.cards.kept}</dt>
        <dd>{dateText(facts.expiresAt, timeZone, now)}</dd>
        <dd className="info-cards__note">{copy.cards.days(Math.ceil((facts.expiresAt - now) / DAY))}</dd>
      </div>
      <div>
        <dt>{copy.cards.size}</dt>
        <dd>{bytesText(facts.sizeBytes)}</dd>
        {fresh !== null && fresh > 0 && fresh < facts.sizeBytes && (
          <dd className="info-cards__note">{copy.cards.fresh(bytesText(fresh))}</dd>
        )}
      </div>
      <div>
        <dt>{copy.cards.stored}</dt>
        <dd>{regionNames[facts.region]}</dd>
      </div>
    </dl>
  );
}

const DAY = 86_400_000;

/** The time of the check, with its mark. */
function VersionMark({ data, facts }: { data: VersionPageData; facts: VersionFacts }) {
  const { timeZone, now } = data;
  if (facts.isSound === false)
    return (
      <span className="version-fact bad-t">
        <ShieldAlert aria-hidden />
        {copy.isDamaged}
      </span>
    );
  if (facts.isSound === null || facts.verifiedAt === null) return copy.notChecked;
  return (
    <span className="version-fact" title={verifiedLong(facts.verifiedAt, facts.takenAt, timeZone)}>
      <ShieldCheck className="ok-t" aria-hidden />
      {verifiedAt(facts.verifiedAt, facts.takenAt, timeZone, now)}
    </span>
  );
}
