import { Link } from "@remix-run/react";
import { Archive, ArrowLeft, Clock, ShieldAlert, ShieldCheck } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { placeIn } from "#app/version/address.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { VersionFacts, ViewRow } from "#core/browsing/views.ts";
import type { VersionPageData } from "./queries.server.ts";

/** The strip above an open part: a link back to its list, and its version. */
export function VersionContext({
  data,
  facts,
  view,
}: {
  data: VersionPageData;
  facts: VersionFacts;
  view: ViewRow;
}) {
  const { timeZone, now, platform } = data;
  const date = (at: number) => dateTimeText(at, timeZone, now);
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  return (
    <>
      <Link className="back-link" to={placeIn(data, view.kind, { in: view.id })}>
        <ArrowLeft className="icon-s" aria-hidden />
        {copy.backToList(view.label)}
      </Link>
      <div className="version-context">
        <span className="version-context__when">
          <Archive className="icon-s" aria-hidden />
          {date(facts.takenAt)}
        </span>
        <p className="version-context__facts">
          <Soundness facts={facts} date={date} />
          <span>
            <Clock aria-hidden />
            {copy.keptUntil(date(facts.expiresAt))}
          </span>
          <span className="hide-s">{copy.readsBackup(label)}</span>
        </p>
      </div>
    </>
  );
}

function Soundness({ facts, date }: { facts: VersionFacts; date: (at: number) => string }) {
  if (facts.isSound === false)
    return (
      <span>
        <ShieldAlert className="warn-t" aria-hidden />
        {copy.isDamaged}
      </span>
    );
  if (facts.isSound === null || facts.verifiedAt === null) return <span>{copy.notChecked}</span>;
  return (
    <span>
      <ShieldCheck className="ok-t" aria-hidden />
      {copy.verified(date(facts.verifiedAt))}
    </span>
  );
}
