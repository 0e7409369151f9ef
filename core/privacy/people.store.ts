import type { HeldPerson, PersonNews } from "#connectors/contract/people.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/** Ids in one statement, so that none is too long for D1. */
const IDS_AT_ONCE = 2_000;

type Account = { organisationId: string; connectionId: string };

/**
 * Takes connections of these platforms whose report is due, and moves their next turn to `nextAt`. Two callers at once
 * never get the same connection.
 */
export async function claimReports(
  control: ControlDatabase,
  {
    platforms,
    now,
    nextAt,
    limit,
  }: { platforms: readonly string[]; now: number; nextAt: number; limit: number },
): Promise<{ id: string; organisationId: string }[]> {
  const { results } = await statement(
    control,
    `UPDATE connection SET people_due_at = ?3
     WHERE id IN (
       SELECT id FROM connection
       WHERE platform IN (SELECT value FROM json_each(?1)) AND people_due_at <= ?2
         AND status = 'active' AND is_confirmed = 1
       LIMIT ?4)
     RETURNING id, organisation_id AS organisationId`,
    JSON.stringify(platforms),
    now,
    nextAt,
    limit,
  ).all<{ id: string; organisationId: string }>();
  return results;
}

/** How far the last report of a connection came. */
export type ReportState = {
  createdAt: number;
  /** When the gathering of its people began; null = there was none, or some could not be read. */
  gatheredAt: number | null;
  /** The last person whom the platform was told; null = the report is finished. */
  toldUpTo: string | null;
  problem: string | null;
};

/** Returns how far the last report came, or null for a connection that is gone. */
export async function readReport(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
): Promise<ReportState | null> {
  return await statement(
    control,
    `SELECT created_at AS createdAt, people_gathered_at AS gatheredAt, people_told_up_to AS toldUpTo,
       people_problem AS problem
     FROM connection WHERE id = ?1 AND organisation_id = ?2`,
    connectionId,
    organisationId,
  ).first<ReportState>();
}

/** Notes people who were gathered. New ones are held since the given time. */
export async function savePeople(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { people, heldSince, seenAt }: { people: readonly string[]; heldSince: number; seenAt: number },
): Promise<void> {
  for (let from = 0; from < people.length; from += IDS_AT_ONCE) {
    await statement(
      control,
      `INSERT INTO held_person (connection_id, external_id, organisation_id, held_since, seen_at)
       SELECT connection.id, json_each.value, ?2, ?4, ?5 FROM connection, json_each(?3)
       WHERE connection.id = ?1 AND organisation_id = ?2
       ON CONFLICT (connection_id, external_id) DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)`,
      connectionId,
      organisationId,
      JSON.stringify(people.slice(from, from + IDS_AT_ONCE)),
      heldSince,
      seenAt,
    ).run();
  }
}

/**
 * Begins a report after all people were gathered. Those who were not found since then are forgotten if the others are all.
 * What the platform reported about closed accounts stays, because an item may be backed up much later.
 */
export async function beginReport(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { since, isWhole }: { since: number; isWhole: boolean },
): Promise<void> {
  await commitTogether(control, [
    statement(
      control,
      `DELETE FROM held_person
       WHERE connection_id = ?1 AND organisation_id = ?2 AND seen_at < ?3 AND state IS NOT 'closed' AND ?4 = 1`,
      connectionId,
      organisationId,
      since,
      isWhole,
    ),
    statement(
      control,
      `UPDATE connection SET people_gathered_at = ?3, people_told_up_to = ''
       WHERE id = ?1 AND organisation_id = ?2`,
      connectionId,
      organisationId,
      isWhole ? since : null,
    ),
  ]);
}

/** The next people to report. Closed accounts were told once, and are not reported again. */
export async function listToReport(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { after, limit }: { after: string; limit: number },
): Promise<HeldPerson[]> {
  const { results } = await statement(
    control,
    `SELECT external_id AS externalId, held_since AS readAt FROM held_person
     WHERE connection_id = ?1 AND organisation_id = ?2 AND external_id > ?3 AND state IS NOT 'closed'
     ORDER BY external_id LIMIT ?4`,
    connectionId,
    organisationId,
    after,
    limit,
  ).all<HeldPerson>();
  return results;
}

/**
 * Records what the platform told, and how far the report has come, which a message that came twice cannot turn back. From
 * then on the names are as new as the news.
 */
export async function saveNews(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { news, upTo, now }: { news: readonly PersonNews[]; upTo: string; now: number },
): Promise<void> {
  await commitTogether(control, [
    // One statement for all, because those of a batch count one by one.
    statement(
      control,
      `UPDATE held_person SET state = json_extract(told.value, '$.state'), told_at = ?4, held_since = ?4
       FROM json_each(?3) AS told
       WHERE connection_id = ?1 AND organisation_id = ?2 AND external_id = json_extract(told.value, '$.externalId')`,
      connectionId,
      organisationId,
      JSON.stringify(news),
      now,
    ),
    statement(
      control,
      `UPDATE connection SET people_told_up_to = ?3
       WHERE id = ?1 AND organisation_id = ?2 AND people_told_up_to < ?3`,
      connectionId,
      organisationId,
      upTo,
    ),
  ]);
}

/** Ends a report, and says when the next one is due and why this one failed; null = it did not. */
export async function endReport(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { dueAt, problem }: { dueAt: number; problem: string | null },
): Promise<void> {
  await statement(
    control,
    `UPDATE connection SET people_due_at = ?3, people_told_up_to = NULL, people_problem = ?4
     WHERE id = ?1 AND organisation_id = ?2`,
    connectionId,
    organisationId,
    dueAt,
    problem,
  ).run();
}

/** Lets a report go on at this time, where it stopped. */
export async function postponeReport(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  dueAt: number,
): Promise<void> {
  await statement(
    control,
    "UPDATE connection SET people_due_at = ?3 WHERE id = ?1 AND organisation_id = ?2",
    connectionId,
    organisationId,
    dueAt,
  ).run();
}

/** Replaces what is stored of the connection's owner, unless the account was connected again meanwhile. */
export async function saveOwner(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { before, after }: { before: Json; after: Json },
): Promise<void> {
  await statement(
    control,
    "UPDATE connection SET details = ?4 WHERE id = ?1 AND organisation_id = ?2 AND json(details) = json(?3)",
    connectionId,
    organisationId,
    JSON.stringify(before),
    JSON.stringify(after),
  ).run();
}

/**
 * What the platform told until a time of people whose names a connection holds: every closed account, and those that
 * changed after `since`.
 */
export async function listPeopleNews(
  control: ControlDatabase,
  { organisationId, connectionId }: Account,
  { since, until }: { since: number; until: number },
): Promise<PersonNews[]> {
  const { results } = await statement(
    control,
    `SELECT external_id AS externalId, state FROM held_person
     WHERE connection_id = ?1 AND organisation_id = ?2 AND told_at <= ?4
       AND (state = 'closed' OR (state = 'changed' AND told_at > ?3))
     ORDER BY external_id`,
    connectionId,
    organisationId,
    since,
    until,
  ).all<PersonNews>();
  return results;
}
