import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformItem } from "#connectors/contract/platform-connector.ts";
import { OURSELVES, recordAction } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import {
  type ConnectionRow,
  claimAutoAdds,
  connectorOf,
  findConnectionRow,
  listPlaceRows,
  openSession,
  type PlaceRow,
  reportLostConnection,
  type UsedTokens,
} from "#core/connections/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { logger } from "#core/kernel/logger.ts";
import type { MailServices, SessionServices, Uses } from "#core/services.ts";
import { countUsed } from "../item-counts.ts";
import { listKnownExternalIds } from "../items.store.ts";
import { AUTO_ADD_AT_ONCE, AUTO_ADD_EVERY_MS, AUTO_ADD_PAGES, AUTO_ADD_PER_PAGE } from "../limits.ts";
import { protectItems } from "../protect-items.ts";
import { insertSeen, listSeen, type SeenScope, wasSeen } from "./seen-items.store.ts";

const log = logger("auto-add");
const NAMES_TOLD = 5;

/** Queues a check for new items for every due connection. A lost message delays it by an hour. */
export async function queueAutoAdds(s: Uses<"clock" | "control" | "queue">): Promise<void> {
  const now = s.clock.now();
  const due = await claimAutoAdds(s.control, {
    now,
    nextAt: now + AUTO_ADD_EVERY_MS,
    limit: AUTO_ADD_AT_ONCE,
  });
  const messages = due.map(
    ({ id, organisationId }): JobMessage => ({
      job: "look-for-new-items",
      payload: { organisationId, connectionId: id },
    }),
  );
  if (messages.length > 0) await s.queue.send(messages);
}

/**
 * Protects items that have appeared in the places of a connection since the last look, up to the plan's limit. Items
 * seen at the first look and items that a member has removed are not added, because they are recorded as seen. Items
 * beyond the limit are not recorded, so the next look tries them again.
 */
export async function lookForNewItems(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<void> {
  const connection = await findConnectionRow(s.control, organisationId, connectionId);
  if (!connection?.isAutoAdd || !connection.isConfirmed || connection.status !== "active") return;
  const entitlements = await entitlementsOf(s, organisationId, connection.platform);
  if (!entitlements.isActive) return;
  const { descriptor } = connectorOf(s, connection.platform);
  const places = descriptor.supports.places
    ? await listPlaceRows(s.ledger(connection.region, connection.organisationId), connection)
    : [null];
  const added: string[] = [];
  const usedTokens: UsedTokens = new Map();
  let waiting = 0;
  try {
    for (const place of places) {
      const found = await lookIntoPlace(s, { connection, place, usedTokens }, entitlements);
      added.push(...found.added.map(({ name }) => name));
      waiting += found.waiting;
    }
  } catch (cause) {
    if (!(cause instanceof ConnectorError)) throw cause;
    log.info("a look for new items of {connectionId} waits for its next turn", { connectionId, cause });
    if (cause.kind === "unauthorized") {
      const run = { organisationId, connectionId, platform: connection.platform };
      await reportLostConnection(s, run, cause, usedTokens);
    }
  }
  await publishFound(s, connection, { added, waiting });
}

/** Where a look goes, and which tokens it used on the way. */
type Looked = { connection: ConnectionRow; place: PlaceRow | null; usedTokens: UsedTokens };

async function lookIntoPlace(
  s: SessionServices & Uses<"memory" | "ids" | "ledger" | "queue">,
  look: Looked,
  entitlements: Awaited<ReturnType<typeof entitlementsOf>>,
): Promise<{ added: PlatformItem[]; waiting: number }> {
  const { connection, place } = look;
  const ledger = s.ledger(connection.region, connection.organisationId);
  const { descriptor, marksOf } = connectorOf(s, connection.platform);
  const kind = descriptor.itemKinds[0]?.id ?? "";
  const { organisationId } = connection;
  const scope: SeenScope = { organisationId, connectionId: connection.id, placeId: place?.id ?? "", kind };
  const isFirst = !(await wasSeen(ledger, scope));
  const now = s.clock.now();
  const fresh: PlatformItem[] = [];
  for await (const page of pagesOf(s, look, kind)) {
    const ids = page.map(({ externalId }) => externalId);
    if (isFirst) {
      await insertSeen(ledger, scope, { externalIds: ids, isLook: false, now });
      continue;
    }
    const [seen, known] = [
      await listSeen(ledger, scope, ids),
      await listKnownExternalIds(ledger, { organisationId, connectionId: connection.id, kind }, ids),
    ];
    // Someone protected these before the look; record them as seen all the same.
    await insertSeen(ledger, scope, { externalIds: [...known], isLook: false, now });
    const isNew = ({ externalId }: PlatformItem) => !seen.has(externalId) && !known.has(externalId);
    fresh.push(...page.filter((item) => isNew(item) && marksOf?.(item).blocked === undefined));
  }
  if (isFirst) {
    await insertSeen(ledger, scope, { externalIds: [], isLook: true, now });
    return { added: [], waiting: 0 };
  }
  const used = await countUsed(s, organisationId, connection.platform);
  const room = Math.max(0, entitlements.itemLimit - used);
  const added = await protectItems(s, {
    connection,
    placeId: place?.id ?? null,
    found: fresh.slice(0, room),
    entitlements,
    by: { userId: null, userName: OURSELVES, action: "auto-add-item" },
  });
  const externalIds = added.map(({ item }) => item.externalId);
  await insertSeen(ledger, scope, { externalIds, isLook: false, now });
  return { added: added.map(({ item }) => item), waiting: fresh.length - added.length };
}

async function* pagesOf(s: SessionServices, { connection, place, usedTokens }: Looked, kind: string) {
  const connector = connectorOf(s, connection.platform);
  const session = openSession(s, connection, { usedTokens });
  for (let page = 0; page < AUTO_ADD_PAGES; page++) {
    const query = { kind, place, name: null, page, perPage: AUTO_ADD_PER_PAGE };
    const { items, hasMore } = await connector.listItems(session, query);
    yield items;
    if (!hasMore) return;
  }
}

/** Reports new items and items beyond the limit to open screens. The audit trail notes a full plan once a day. */
async function publishFound(
  s: Uses<"clock" | "ids" | "control" | "live">,
  { organisationId, id, platform, name }: ConnectionRow,
  { added, waiting }: { added: readonly string[]; waiting: number },
): Promise<void> {
  if (added.length === 0 && waiting === 0) return;
  if (waiting > 0) {
    const day = new Date(s.clock.now()).toISOString().slice(0, 10);
    await recordAction(s, {
      organisationId,
      userId: null,
      userName: OURSELVES,
      platform,
      action: "auto-add-limit",
      subject: name,
      occasion: `auto-add-limit:${id}:${day}`,
    });
  }
  await s.live.publish(organisationId, [
    {
      method: "items-auto-added",
      platform,
      connectionId: id,
      names: added.slice(0, NAMES_TOLD),
      count: added.length,
      waiting,
    },
    { method: "items-changed", platform, connectionId: id, ids: [] },
  ]);
}
