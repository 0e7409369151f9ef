import { and, asc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { connection, type credential } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type NewCredential, saveCredential } from "./credential.store.ts";

type Stored = Omit<
  typeof connection.$inferSelect,
  | "nodeId"
  | "sealedAccessToken"
  | "accessTokenExpiresAt"
  | "sealedRefreshToken"
  | "tokenVersion"
  | "grantId"
  | "autoAddDueAt"
  | "seatsDueAt"
  | "peopleDueAt"
  | "peopleGatheredAt"
  | "peopleToldUpTo"
>;

/** A connection with the state of its credentials. Their tokens are read when one is needed. */
export type ConnectionRow = Stored & {
  credentials: Pick<typeof credential.$inferSelect, "authMethod" | "status">[];
};

const {
  nodeId,
  sealedAccessToken,
  accessTokenExpiresAt,
  sealedRefreshToken,
  tokenVersion,
  grantId,
  autoAddDueAt,
  seatsDueAt,
  peopleDueAt,
  peopleGatheredAt,
  peopleToldUpTo,
  ...own
} = getTableColumns(connection);

const columns = {
  ...own,
  credentials: sql<string>`(
    SELECT json_group_array(json_object('authMethod', auth_method, 'status', credential.status))
    FROM credential WHERE connection_id = connection.id)`.mapWith((text): ConnectionRow["credentials"] =>
    JSON.parse(text),
  ),
};

/** Lists the organisation's connections of a platform, oldest first. */
export async function listConnectionRows(
  control: ControlDatabase,
  organisationId: string,
  platform: string,
): Promise<ConnectionRow[]> {
  return selectRows(
    control,
    and(eq(connection.organisationId, organisationId), eq(connection.platform, platform)),
  );
}

/** Lists the connections of all organisations to these accounts of a platform. */
export async function listConnectionsOfAccounts(
  control: ControlDatabase,
  platform: string,
  externalIds: readonly string[],
): Promise<ConnectionRow[]> {
  if (externalIds.length === 0) return [];
  return selectRows(
    control,
    // As one value: D1 binds at most a hundred.
    and(
      eq(connection.platform, platform),
      sql`${connection.externalId} IN (SELECT value FROM json_each(${JSON.stringify(externalIds)}))`,
    ),
  );
}

/** Lists the organisation's connections of all platforms, oldest first. */
export async function listAllConnectionRows(
  control: ControlDatabase,
  organisationId: string,
): Promise<ConnectionRow[]> {
  return selectRows(control, eq(connection.organisationId, organisationId));
}

/** `listAllConnectionRows` as a statement of a batch. The organisation is its id, or a subquery. */
export function connectionRows(control: ControlDatabase, organisation: SQLWrapper | string) {
  return selectRows(control, sql`${connection.organisationId} = (${organisation})`);
}

/** Returns one connection of the organisation, or null. */
export async function findConnectionRow(
  control: ControlDatabase,
  organisationId: string,
  connectionId: string,
): Promise<ConnectionRow | null> {
  const [row] = await selectRows(
    control,
    and(eq(connection.id, connectionId), eq(connection.organisationId, organisationId)),
  );
  return row ?? null;
}

function selectRows(control: ControlDatabase, which: SQL | undefined) {
  return control
    .select(columns)
    .from(connection)
    .where(which)
    .orderBy(asc(connection.createdAt), asc(connection.id));
}

export type NewConnection = {
  id: string;
  organisationId: string;
  platform: string;
  region: Region;
  externalId: string;
  name: string;
  /** The platform's own type. */
  accountType: string;
  details: Json;
  isAutoAdd: boolean;
  /** False = connected by name and not confirmed by code yet. */
  isConfirmed: boolean;
  /** The account whose grant is used, if it is another one. */
  grantName: string | null;
  now: number;
};

/**
 * Stores a connection, its credential and another statement on the same database. Connecting the same account again
 * renews the credential and keeps the connection's id and region; a confirmed account stays confirmed.
 */
export async function saveConnection(
  control: ControlDatabase,
  row: NewConnection,
  granted: NewCredential,
  alongside: BatchItem<"sqlite">,
): Promise<ConnectionRow> {
  const { organisationId, platform, externalId, name, details, grantName, now, ...values } = row;
  const which = and(
    eq(connection.organisationId, organisationId),
    eq(connection.platform, platform),
    eq(connection.externalId, externalId),
  );
  const account = { organisationId, platform, externalId, name, details, grantName };
  const [, , , rows] = await control.batch([
    control
      .insert(connection)
      .values({ ...values, ...account, status: "active", createdAt: now })
      .onConflictDoUpdate({
        target: [connection.organisationId, connection.platform, connection.externalId],
        set: {
          name,
          details,
          grantName,
          status: "active",
          lostReason: null,
          // Another credential may know the seats.
          seatsDueAt: 0,
          // A report that was refused is tried again; one that succeeded waits for its time.
          peopleDueAt: sql`CASE WHEN ${connection.peopleProblem} IS NULL THEN ${connection.peopleDueAt} ELSE 0 END`,
          isConfirmed: sql`max(${connection.isConfirmed}, ${Number(row.isConfirmed)})`,
        },
      }),
    saveCredential(control, which, granted),
    alongside,
    selectRows(control, which),
  ]);
  return rows[0]!;
}

/** Sets whether new items are protected automatically. Turning it on schedules a check for new items at once. */
export async function updateAutoAdd(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string },
  isAutoAdd: boolean,
): Promise<void> {
  await control
    .update(connection)
    .set({ isAutoAdd, autoAddDueAt: 0 })
    .where(and(eq(connection.id, key.connectionId), eq(connection.organisationId, key.organisationId)));
}

/** Claims connections that are due to look for new items; exactly one caller claims each. */
export async function claimAutoAdds(
  control: ControlDatabase,
  { now, nextAt, limit }: { now: number; nextAt: number; limit: number },
): Promise<{ id: string; organisationId: string }[]> {
  return control.all(sql`
    UPDATE connection SET auto_add_due_at = ${nextAt}
    WHERE id IN (
      SELECT id FROM connection
      WHERE is_auto_add = 1 AND auto_add_due_at <= ${now} AND status = 'active' AND is_confirmed = 1
      LIMIT ${limit}
    )
    RETURNING id, organisation_id AS "organisationId"`);
}
