import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PeopleReporting, PersonNews } from "#connectors/contract/people.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { type ConnectionRow, connectorOf, findConnectionRow, openSession } from "#core/connections/index.ts";
import type { JobMessage, JobPayload } from "#core/jobs/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { SessionServices, Uses, VaultServices } from "#core/services.ts";
import { gatherPeople } from "./gather-people.ts";
import {
  beginReport,
  claimReports,
  endReport,
  listToReport,
  postponeReport,
  type ReportState,
  readReport,
  saveNews,
  saveOwner,
  savePeople,
} from "./people.store.ts";

const log = logger("privacy");

/** When a report is queued again that nobody finished. */
const CLAIM_MS = DAY_MS;
/** After a failure that passes by itself. */
const AGAIN_MS = HOUR_MS;
/** After a refusal. */
const REFUSED_MS = 7 * DAY_MS;
/**
 * Who was not found by the last report was read by a run that ended after it. A run takes less than this, so that no name
 * counts as newer than it is.
 */
const LONGEST_RUN_MS = 7 * DAY_MS;
/** Connections per tick. */
const AT_ONCE = 200;
/** Reports per message. */
const CALLS_AT_ONCE = 20;

/** Every minute: queues a report for each connection that is due. A lost message delays it by a day. */
export async function queuePeopleReports(
  s: Uses<"clock" | "control" | "connectors" | "queue">,
): Promise<void> {
  const platforms = [...s.connectors].flatMap(([id, { people }]) => (people ? [id] : []));
  if (platforms.length === 0) return;
  const now = s.clock.now();
  const due = await claimReports(s.control, { platforms, now, nextAt: now + CLAIM_MS, limit: AT_ONCE });
  const messages = due.map(({ id, organisationId }) => reportJob({ organisationId, connectionId: id }));
  if (messages.length > 0) await s.queue.send(messages);
}

const reportJob = (payload: JobPayload<"report-people">): JobMessage => ({
  job: "report-people",
  payload,
});

/**
 * Tells a platform whose names the newest versions of a connection hold, and stores what it answers for the next backups.
 * A refusal is no sign of a lost connection: the right to report is another one than the right to back up.
 */
export async function reportPeople(
  s: SessionServices & VaultServices & Uses<"queue">,
  order: JobPayload<"report-people">,
): Promise<void> {
  const { organisationId, connectionId } = order;
  const account = { organisationId, connectionId };
  const row = await findConnectionRow(s.control, organisationId, connectionId);
  if (!row?.isConfirmed || row.status !== "active") return;
  // Of a closed account nothing is asked in its name.
  if ((await listMembers(s, organisationId)).length === 0) return;
  const { people } = connectorOf(s, row.platform);
  const report = await readReport(s.control, account);
  if (people === undefined || report === null) return;
  const now = s.clock.now();
  try {
    if (report.toldUpTo === null) {
      if (isRepeated(order, report, now)) return;
      const { since = now, after = "" } = order;
      const { people: found, next, ...gathered } = await gatherPeople(s, row, people, after);
      await savePeople(s.control, account, { people: found, heldSince: heldSince(report), seenAt: since });
      const isWhole = gathered.isWhole && order.isWhole !== false;
      if (next !== null) {
        await s.queue.send([reportJob({ ...account, since, after: next, isWhole })]);
        return;
      }
      await beginReport(s.control, account, { since, isWhole });
    }
    const nextInDays = await tellAll(s, row, people, report.toldUpTo ?? "");
    if (nextInDays === null) await s.queue.send([reportJob(account)]);
    else await endReport(s.control, account, { dueAt: now + nextInDays * DAY_MS, problem: null });
  } catch (cause) {
    if (!(cause instanceof ConnectorError)) throw cause;
    const { message } = cause;
    log.info("The people of {connectionId} could not be reported: {reason}", {
      connectionId: row.id,
      reason: message,
    });
    const passes = cause.kind === "rate-limited" || cause.kind === "unavailable";
    if (passes) await postponeReport(s.control, account, Math.max(cause.retryAt ?? 0, now + AGAIN_MS));
    else await endReport(s.control, account, { dueAt: now + REFUSED_MS, problem: message });
  }
}

/** Whether the message came twice: its report has ended. */
function isRepeated(
  { since }: JobPayload<"report-people">,
  { gatheredAt, problem }: ReportState,
  now: number,
): boolean {
  if (gatheredAt === null) return false;
  return since === undefined ? problem === null && now - gatheredAt < CLAIM_MS : gatheredAt >= since;
}

/** Since when the name of somebody may be held whom the last report did not find. */
function heldSince({ gatheredAt, createdAt }: ReportState): number {
  return gatheredAt === null ? createdAt : Math.max(createdAt, gatheredAt - LONGEST_RUN_MS);
}

/** Reports the people behind `after`. @returns days until the next report; null = there are more people */
async function tellAll(
  s: SessionServices,
  row: ConnectionRow,
  people: PeopleReporting,
  after: string,
): Promise<number | null> {
  const account = { organisationId: row.organisationId, connectionId: row.id };
  const session = openSession(s, row);
  let nextInDays = REFUSED_MS / DAY_MS;
  let told = after;
  for (let calls = 0; ; calls++) {
    const batch = await listToReport(s.control, account, { after: told, limit: people.mostAtOnce });
    const last = batch.at(-1);
    if (last === undefined) return nextInDays;
    if (calls === CALLS_AT_ONCE) return null;
    const answer = await people.report(session, batch);
    nextInDays = answer.nextInDays;
    told = last.externalId;
    // Before the news is saved: after a failure the platform tells it again.
    await renewOwner(s, row, { people, session, news: answer.news });
    await saveNews(s.control, account, { news: answer.news, upTo: told, now: s.clock.now() });
  }
}

/** Takes the connection owner's name out, or reads it again. */
async function renewOwner(
  s: Uses<"control">,
  { id: connectionId, organisationId, details }: ConnectionRow,
  { people, session, news }: { people: PeopleReporting; session: Session; news: readonly PersonNews[] },
): Promise<void> {
  const owner = people.ownerOf(details as Json);
  const state = news.find(({ externalId }) => externalId === owner)?.state;
  if (state === undefined) return;
  const after = await people.renewOwner(session, state);
  await saveOwner(s.control, { organisationId, connectionId }, { before: details as Json, after });
}
