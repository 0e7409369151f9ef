import { browseCopy as copy } from "#app/copy/browse.ts";
import { fullDateText } from "#app/format/dates.ts";
import type { VersionPageData } from "./queries.server.ts";

/** How old the parts of a version may be that its platform gives no date of. Nothing where each backup reads everything. */
export function VersionAges({ undated, timeZone }: Pick<VersionPageData, "undated" | "timeZone">) {
  return undated.map(({ what, mostDays, notBefore }) => (
    <p key={what} className="meta">
      {copy.mayBeOlder(what, mostDays, fullDateText(notBefore, timeZone))}
    </p>
  ));
}
