import { type MessageData, queueMail } from "#core/mail/index.ts";
import { canUse } from "#core/organisations/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import type { LocalDate } from "./local-time.ts";
import { type Period, periodLabel, periodReportedOn, reportOccasion } from "./period.ts";
import type { Preference } from "./preference.ts";
import { findReader, listRegions, listWritten, type Reader } from "./preferences.store.ts";
import { type Incident, readResults } from "./results.store.ts";
import { unsubscribeUrls } from "./subscription-link.ts";
import { addResults, type Counts, emptyTally, incidentText, newestOf, type Tally } from "./tally.ts";

/** Maximum incidents of each kind in a report. The history lists all. */
const LISTED = 20;

/**
 * Writes a person's report for the period of a local day, unless it already exists, is no longer wanted, or would be
 * empty. Repeating it changes nothing. Uses current rights and preferences.
 */
export async function buildReport(
  s: MailServices & Uses<"ledger" | "connectors">,
  { userId, date }: { userId: string; date: LocalDate },
): Promise<"written" | "nothing-to-do"> {
  const reader = await findReader(s.control, userId);
  if (!reader?.isEmailVerified) return "nothing-to-do";
  const { preference } = reader;
  if (!preference.isActive || preference.reportType === null) return "nothing-to-do";
  const period = periodReportedOn(preference, date);
  if (!period || period.to > s.clock.now()) return "nothing-to-do";
  const occasion = reportOccasion(userId, period.name);
  if ((await listWritten(s.control, [occasion])).size > 0) return "nothing-to-do";
  const tally = await readTally(s, reader, period);
  if (!isReported(tally, preference.reportType)) return "nothing-to-do";
  const mail = await queueMail(s, {
    occasion,
    organisationId: reader.organisationId,
    recipient: reader.email,
    message: "report",
    data: await toMessage(s, { reader, period, tally, shows: preference.reportType }),
  });
  await mail.statement;
  await s.queue.send([mail.job]);
  return "written";
}

async function readTally(
  s: Uses<"control" | "ledger" | "connectors">,
  reader: Reader,
  period: Period,
): Promise<Tally> {
  const { organisationId } = reader;
  const platforms = [...s.connectors.keys()].filter((platform) => canUse(reader, platform));
  const tally = emptyTally();
  for (const region of await listRegions(s.control, organisationId)) {
    const query = { organisationId, period, platforms, listed: LISTED };
    addResults(tally, await readResults(s.ledger(region, organisationId), query));
  }
  return tally;
}

/**
 * A report needs content: a result of the chosen kinds, or a backup that should have ended. Partial results count for
 * both kinds.
 */
function isReported(tally: Tally, shows: NonNullable<Preference["reportType"]>): boolean {
  const counts = [...tally.platforms.values()].flatMap(({ backups, restores }) => [backups, restores]);
  const has = (key: keyof Counts) => counts.some((each) => each[key] > 0);
  if (has("partial")) return true;
  if (shows !== "failed" && has("succeeded")) return true;
  return shows !== "succeeded" && (has("failed") || tally.unfinishedCount > 0);
}

async function toMessage(
  s: Uses<"clock" | "connectors" | "settings">,
  {
    reader,
    period,
    tally,
    shows,
  }: { reader: Reader; period: Period; tally: Tally; shows: "all" | "succeeded" | "failed" },
): Promise<MessageData<"report">> {
  const labelOf = (platform: string) => s.connectors.get(platform)?.descriptor.label ?? platform;
  const failures = shows === "succeeded" ? [] : newestOf(tally, "failed", LISTED);
  const toEvent = (incident: Incident) => {
    const { platform, kind, itemId, count } = incident;
    const itemName = incident.itemName ?? itemId;
    return {
      platformLabel: labelOf(platform),
      kind,
      itemName,
      count,
      text: incidentText(incident),
      url: `${s.settings.PUBLIC_URL}/platform/backups/${platform}?${new URLSearchParams({ id: itemId, name: itemName })}`,
    };
  };
  const shown = {
    failures: failures.map(toEvent),
    partials: newestOf(tally, "partial", LISTED).map(toEvent),
  };
  const { failed, partial } = tally.incidentCounts;
  const incidentCount = partial + (shows === "succeeded" ? 0 : failed);
  return {
    frequency: reader.preference.frequency,
    periodLabel: periodLabel(period),
    timeZone: reader.preference.timeZone,
    shows,
    platforms: [...tally.platforms]
      .map(([platform, counts]) => ({ label: labelOf(platform), ...counts }))
      .sort((a, b) => (a.label < b.label ? -1 : 1)),
    ...shown,
    unlistedCount: incidentCount - shown.failures.length - shown.partials.length,
    unfinishedCount: shows === "succeeded" ? 0 : tally.unfinishedCount,
    overviewUrl: `${s.settings.PUBLIC_URL}/`,
    preferencesUrl: `${s.settings.PUBLIC_URL}/settings/reporting`,
    ...(await unsubscribeUrls(s, reader.userId)),
  };
}
