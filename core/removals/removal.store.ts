import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { auditStatement } from "#core/audit/index.ts";
import { removal, subscription } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";
import type { QueuedMailOrder } from "#core/mail/index.ts";

export type RemovalRow = typeof removal.$inferSelect;
/** The e-mail of a warning, and its entry in the audit trail. */
type Alongside = readonly [QueuedMailOrder["statement"], ReturnType<typeof auditStatement>];

/** An ended plan whose owner must be warned, with what is known of its removal. Times in epoch ms. */
export type Lapsing = {
  /** Of the plan; pages go by it. */
  id: string;
  organisationId: string;
  platform: string;
  endedAt: number;
  email: string;
  timeZone: string;
  /** Null before the first warning. */
  removalId: string | null;
  removalAt: number | null;
};

/**
 * Plans that ended in a range of time and were not warned of, and those whose removal comes before `secondBefore` and was
 * announced once.
 */
export async function listLapsing(
  control: ControlDatabase,
  { from, to, secondBefore, after }: { from: number; to: number; secondBefore: number; after: string },
): Promise<Lapsing[]> {
  const { results } = await statement(
    control,
    `SELECT t.id AS id, t.organisation_id AS organisationId, t.platform AS platform, t.ends_at AS endedAt,
       u.email AS email, o.time_zone AS timeZone, r.id AS removalId, r.removal_at AS removalAt
     FROM subscription t JOIN organisation o ON o.id = t.organisation_id AND o.closed_at IS NULL
     JOIN user u ON u.id = o.owner_user_id
     LEFT JOIN removal r ON r.organisation_id = t.organisation_id AND r.platform = t.platform
       AND r.ended_at = t.ends_at
     WHERE t.ends_at >= ?1 AND t.ends_at <= ?2 AND t.id > ?4
       AND (r.id IS NULL OR (r.state = 'ahead' AND r.warned_again_at IS NULL AND r.removal_at <= ?3))
     ORDER BY t.id LIMIT 200`,
    from,
    to,
    secondBefore,
    after,
  ).all<Lapsing>();
  return results;
}

/** Condition of the first warning's e-mail and entry: this call recorded the removal. */
export const isAnnounced = (id: string): SQL => sql`EXISTS (SELECT 1 FROM removal WHERE id = ${id})`;

/** Condition of the second warning's e-mail and entry: this call recorded it. */
export const isWarnedAgain = (id: string, at: number): SQL =>
  sql`EXISTS (SELECT 1 FROM removal WHERE id = ${id} AND warned_again_at = ${at})`;

/** Records a removal with its first warning. Of two calls at once only one does. */
export async function announceRemoval(
  control: ControlDatabase,
  row: Pick<RemovalRow, "id" | "organisationId" | "platform" | "endedAt" | "removalAt" | "warnedAt">,
  alongside: Alongside,
): Promise<void> {
  const none = { items: 0, versions: 0, itemsLeft: 0, versionsLeft: 0, lookedAt: 0 };
  await control.batch([
    control
      .insert(removal)
      .values({ ...row, ...none, state: "ahead" })
      .onConflictDoNothing(),
    ...alongside,
  ]);
}

/** Records the second warning. Of two calls at once only one does. */
export async function recordSecondWarning(
  control: ControlDatabase,
  {
    organisationId,
    id,
    at,
    removalAt,
  }: { organisationId: string; id: string; at: number; removalAt: number },
  alongside: Alongside,
): Promise<void> {
  await control.batch([
    control
      .update(removal)
      .set({ warnedAgainAt: at, removalAt })
      .where(
        and(isOne(organisationId, id), sql`${removal.warnedAgainAt} IS NULL`, eq(removal.state, "ahead")),
      ),
    ...alongside,
  ]);
}

const isOne = (organisationId: string, id: string) =>
  and(eq(removal.id, id), eq(removal.organisationId, organisationId));

/** Removals that may begin or go on, the one that was tried the longest ago first. */
export async function listDueRemovals(
  control: ControlDatabase,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await statement(
    control,
    `SELECT id FROM removal WHERE state IN ('ahead', 'running') AND removal_at <= ?1
       AND warned_again_at IS NOT NULL ORDER BY looked_at LIMIT ?2`,
    now,
    limit,
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Notes that an open removal is tried, and returns it; null when it is over or does not exist. */
export async function lookAtRemoval(
  control: ControlDatabase,
  id: string,
  now: number,
): Promise<RemovalRow | null> {
  const [row] = await control
    .update(removal)
    .set({ lookedAt: now })
    .where(and(eq(removal.id, id), inArray(removal.state, ["ahead", "running"])))
    .returning();
  return row ?? null;
}

/** The end of the platform's right, and whether a purchase of it is under way. Undefined: there never was a right. */
export async function readStanding(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<{ endsAt: number | null; isBuying: boolean } | undefined> {
  return control
    .select({
      endsAt: subscription.endsAt,
      isBuying:
        sql<number>`EXISTS (SELECT 1 FROM billing_command open WHERE open.organisation_id = ${organisationId}
        AND open.platform = ${platform} AND open.state IN ('open', 'waiting'))`.mapWith(Boolean),
    })
    .from(subscription)
    .where(and(eq(subscription.organisationId, organisationId), eq(subscription.platform, platform)))
    .get();
}

/** Records that a removal begins, and what there is. One that has begun stays as it began. */
export async function beginRemoval(
  control: ControlDatabase,
  { organisationId, id }: Pick<RemovalRow, "organisationId" | "id">,
  found: { items: number; versions: number; now: number },
): Promise<void> {
  const { items, versions, now } = found;
  await control
    .update(removal)
    .set({ state: "running", startedAt: now, items, versions, itemsLeft: items, versionsLeft: versions })
    .where(and(isOne(organisationId, id), eq(removal.state, "ahead")));
}

/** Condition of what is written with the end of a removal: this call ended it. */
export const isEndedAt = (id: string, at: number): SQL =>
  sql`EXISTS (SELECT 1 FROM removal WHERE id = ${id} AND finished_at = ${at})`;

/** Ends a removal with what is left, together with its audit entry. */
export async function endRemoval(
  control: ControlDatabase,
  { organisationId, id }: Pick<RemovalRow, "organisationId" | "id">,
  end: { state: "done" | "stopped"; itemsLeft: number; versionsLeft: number; finishedAt: number },
  entry: Parameters<ControlDatabase["batch"]>[0][number] | null,
): Promise<void> {
  const change = control
    .update(removal)
    .set(end)
    .where(and(isOne(organisationId, id), inArray(removal.state, ["ahead", "running"])));
  await (entry === null ? change : control.batch([change, entry]));
}

/** The organisation's removals that removed something, the newest first. */
export async function listRemovals(control: ControlDatabase, organisationId: string): Promise<RemovalRow[]> {
  return control
    .select()
    .from(removal)
    .where(
      and(
        eq(removal.organisationId, organisationId),
        inArray(removal.state, ["done", "stopped"]),
        sql`${removal.itemsLeft} < ${removal.items}`,
      ),
    )
    .orderBy(desc(removal.finishedAt))
    .limit(50);
}
