import type { PlatformConnector, PlatformItem } from "#connectors/contract/platform-connector.ts";
import type { WithFacts } from "#connectors/contract/row-facts.ts";
import { recordActions } from "#core/audit/index.ts";
import { type Entitlements, entitlementsOf, limitsItems, unfit } from "#core/billing/index.ts";
import {
  addedPlaceIds,
  type ConnectionRow,
  type ConnectionScope,
  connectorOf,
  doneBy,
  openSession,
  type PlaceRow,
  requireConnection,
  requirePlace,
  requireRight,
  translateFailure,
} from "#core/connections/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, requireOwner } from "#core/organisations/index.ts";
import { nextDue } from "#core/schedules/index.ts";
import type { AccessServices, SessionServices, Uses } from "#core/services.ts";
import { deleteItemRows, updateDaily } from "./change-items.store.ts";
import { countDaily, countUsed } from "./item-counts.ts";
import { listItemRowsByIds, listKnownExternalIds } from "./items.store.ts";
import { ADD_AT_ONCE, ITEMS_PER_CALL } from "./limits.ts";
import { loadItemViews } from "./load-views.ts";
import { protectItems } from "./protect-items.ts";
import { type ItemGroup, requireItems } from "./require-items.ts";
import { stoppedRunEvents } from "./stopped-runs.ts";
import type { ItemView } from "./views.ts";

/**
 * Protects items: looks each up at the platform, adds it with its schedule, and backs it up at once. Items that are
 * already protected stay unchanged. The quota holds even when two calls add items at the same moment. Where an item is a
 * consent, only the owner of the organisation adds one (spec P-302).
 *
 * @throws AppError `err.item.limit`, `err.role.forbidden`, `err.not.found`
 */
export async function addItems(
  s: SessionServices & Uses<"ids" | "ledger" | "queue" | "live" | "windows">,
  member: Member,
  input: ConnectionScope & {
    kind: string;
    placeId: string | null;
    externals: readonly { externalId: string }[];
  },
): Promise<{ added: WithFacts<ItemView>[] }> {
  refuseTooMany(input.externals.length);
  if (s.connectors.get(input.platform)?.descriptor.supports.itemPerConsent) requireOwner(member);
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const place = input.placeId === null ? null : await requirePlace(s, connection, input.placeId);
  const scope = { organisationId: member.organisationId, connectionId: connection.id, kind: input.kind };
  const externalIds = [...new Set(input.externals.map((each) => each.externalId))];
  const known = await listKnownExternalIds(ledger, scope, externalIds);
  const wanted = externalIds.filter((id) => !known.has(id));
  const entitlements = await entitlementsOf(s, member.organisationId, input.platform);
  const used = await countUsed(s, member.organisationId, input.platform);
  if (used + wanted.length > entitlements.itemLimit) {
    throw new AppError("err.item.limit", { details: { used, limit: entitlements.itemLimit } });
  }
  const found = await lookUp(s, member, { ...input, connection, wanted });
  await refuseStrayItems(s, connection, place, found);
  refuseBlockedItems(connectorOf(s, input.platform), found);
  const added = await protectItems(s, {
    connection,
    placeId: place?.id ?? null,
    found,
    entitlements,
    by: { userId: member.userId, userName: member.name, action: "add-item" },
  });
  await s.live.publish(member.organisationId, [
    {
      method: "items-changed",
      platform: input.platform,
      connectionId: connection.id,
      ids: added.map((row) => row.id),
    },
  ]);
  const ids = added.map(({ id }) => id);
  const itemRows = await listItemRowsByIds(ledger, member.organisationId, ids);
  return { added: await loadItemViews(s, ledger, member, connection, itemRows) };
}

/** @throws AppError `err.request.invalid` for an item that the platform's connector cannot protect (spec P-286) */
function refuseBlockedItems(
  { marksOf }: Pick<PlatformConnector, "marksOf">,
  found: readonly PlatformItem[],
): void {
  for (const item of found) {
    const blocked = marksOf?.(item).blocked;
    if (blocked !== undefined)
      throw new AppError("err.request.invalid", { message: `${item.fullName}: ${blocked}.` });
  }
}

/**
 * Refuses items outside the place. A caller who passes an id instead of choosing from the list gets no more than the
 * list offers, because adding places requires a suitable plan (spec P-307).
 *
 * @throws AppError `err.not.found`
 */
async function refuseStrayItems(
  s: Uses<"ledger">,
  connection: ConnectionRow,
  place: Pick<PlaceRow, "externalId"> | null,
  found: readonly PlatformItem[],
): Promise<void> {
  const open = place
    ? new Set([place.externalId])
    : new Set([connection.externalId, ...(await addedPlaceIds(s, connection))]);
  const stray = found.find(
    ({ placeExternalId }) => placeExternalId !== undefined && !open.has(placeExternalId),
  );
  if (!stray) return;
  throw new AppError("err.not.found", {
    message: `${stray.fullName} is not in ${place ? "this place" : "a place that was added"}.`,
  });
}

/** Looks items up at the platform, a few at a time, and reports progress to open screens. */
async function lookUp(
  s: SessionServices & Uses<"live">,
  member: Member,
  input: {
    platform: string;
    kind: string;
    connection: Parameters<typeof openSession>[1];
    wanted: readonly string[];
  },
): Promise<PlatformItem[]> {
  const connector = connectorOf(s, input.platform);
  const session = openSession(s, input.connection);
  const found: PlatformItem[] = [];
  try {
    for (let at = 0; at < input.wanted.length; at += ADD_AT_ONCE) {
      const slice = input.wanted.slice(at, at + ADD_AT_ONCE);
      found.push(
        ...(await Promise.all(
          slice.map((externalId) =>
            connector.getItem(session, { kind: input.kind, externalId, fullName: "" }),
          ),
        )),
      );
      await s.live.publish(member.organisationId, [
        {
          method: "items-adding",
          platform: input.platform,
          connectionId: input.connection.id,
          addedItems: found.length,
          totalItems: input.wanted.length,
        },
      ]);
    }
  } catch (cause) {
    throw translateFailure(cause);
  }
  return found;
}

/**
 * Stops protecting items and deletes their versions. Lists omit them at once; a run of its own deletes the bytes, so a
 * crash in between only delays it.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.connection.missing`
 */
export async function removeItems(
  s: AccessServices & Uses<"ids" | "queue" | "live">,
  member: Member,
  input: ConnectionScope & {
    kind: string;
    itemIds: readonly string[];
    /** When given, all items must be in this place. */
    placeId?: string | null;
  },
): Promise<{ removed: string[] }> {
  refuseTooMany(input.itemIds.length);
  const groups = await requireItems(s, member, input, "manage", ({ kind }) => kind === input.kind);
  if (input.placeId) {
    for (const { connection, items } of groups) {
      const place = await requirePlace(s, connection, input.placeId);
      if (items.some(({ placeId }) => placeId !== place.id)) throw new AppError("err.not.found");
    }
  }
  for (const group of groups) await removeGroup(s, member, group);
  // Items that the plan had paused may take the place.
  await unfit(s.control, { organisationId: member.organisationId, platform: input.platform });
  return { removed: groups.flatMap(({ items }) => items.map(({ id }) => id)) };
}

async function removeGroup(
  s: Uses<"clock" | "ids" | "control" | "queue" | "live">,
  member: Member,
  { connection, ledger, items }: ItemGroup,
): Promise<void> {
  const { id: connectionId, platform, region } = connection;
  const ids = items.map(({ id }) => id);
  const deleteRuns = ids.map((itemId) => ({
    id: s.ids.next("run"),
    organisationId: member.organisationId,
    connectionId,
    itemId,
    platform,
    kind: "delete" as const,
    trigger: "user" as const,
    order: null,
    snapshotId: null,
    createdBy: member.userId,
  }));
  const now = s.clock.now();
  const stopped = await deleteItemRows(ledger, member.organisationId, { ids, deleteRuns, now });
  await recordActions(
    s,
    items.map(({ id, fullName }) => ({
      ...doneBy(member, platform),
      action: "delete-item",
      subject: fullName,
      occasion: `delete-item:${id}`,
    })),
  );
  await s.queue.send(
    deleteRuns.map(
      ({ id }): JobMessage => ({
        job: "delete-item",
        payload: { region, organisationId: member.organisationId, runId: id, epoch: 0 },
      }),
    ),
  );
  await s.live.publish(member.organisationId, [
    { method: "items-changed", platform, connectionId, ids },
    ...stoppedRunEvents(stopped, now),
  ]);
}

/**
 * Turns daily backups of items on or off. Requires a plan with Pro features (spec P-305). With more items than the plan
 * includes, any plan lets the owner choose which of them are backed up.
 *
 * @throws AppError `err.plan.required`, `err.item.limit`, `err.role.forbidden`, `err.not.found`
 */
export async function setDailyBackup(
  s: AccessServices & Uses<"ids" | "live">,
  member: Member,
  input: ConnectionScope & {
    items: readonly { kind: string; itemIds: readonly string[] }[];
    isDaily: boolean;
  },
): Promise<{ changed: string[] }> {
  const kindOf = new Map(input.items.flatMap(({ kind, itemIds }) => itemIds.map((id) => [id, kind])));
  refuseTooMany(kindOf.size);
  const scope = { ...input, itemIds: [...kindOf.keys()] };
  await requireRight(s, member, input.platform, "manage");
  const plan = await entitlementsOf(s, member.organisationId, input.platform);
  const { periodMs } = plan;
  if (!plan.hasProFeatures && !(await isBeyondPlan(s, member, input.platform, plan)))
    throw new AppError("err.plan.required");
  const groups = await requireItems(s, member, scope, "manage", ({ id, kind }) => kind === kindOf.get(id));
  if (input.isDaily) await requireRoom(s, member, input.platform, { groups, limit: plan.itemLimit });
  const changed: string[] = [];
  for (const group of groups) {
    changed.push(...(await switchGroup(s, member, group, { isDaily: input.isDaily, periodMs })));
  }
  return { changed };
}

async function isBeyondPlan(
  s: Uses<"memory" | "control" | "ledger">,
  member: Member,
  platform: string,
  { isActive, itemLimit }: Pick<Entitlements, "isActive" | "itemLimit">,
): Promise<boolean> {
  return (
    isActive && limitsItems(platform) && (await countUsed(s, member.organisationId, platform)) > itemLimit
  );
}

/** Refuses to switch on more items than the plan includes. @throws AppError `err.item.limit` */
async function requireRoom(
  s: Uses<"ledger">,
  member: Member,
  platform: string,
  { groups, limit }: { groups: readonly ItemGroup[]; limit: number },
): Promise<void> {
  const wanted = groups
    .flatMap(({ items }) => items)
    .filter(({ isDaily, status }) => !isDaily && status !== "deleted");
  if (wanted.length === 0 || !limitsItems(platform)) return;
  const used = await countDaily(s, member.organisationId, platform);
  if (used + wanted.length > limit) throw new AppError("err.item.limit", { details: { used, limit } });
}

async function switchGroup(
  s: Uses<"clock" | "ids" | "control" | "live">,
  member: Member,
  { connection, ledger, items }: ItemGroup,
  { isDaily, periodMs }: { isDaily: boolean; periodMs: number },
): Promise<string[]> {
  const { id: connectionId, platform } = connection;
  const now = s.clock.now();
  const changed = await updateDaily(ledger, member.organisationId, {
    ids: items.map(({ id }) => id),
    isDaily,
    changedAt: now,
    dueAt: (itemId) => nextDue(itemId, now, periodMs),
    periodMs,
    isPaused: connection.status !== "active",
  });
  const isChanged = new Set(changed);
  await recordActions(
    s,
    items
      .filter((item) => isChanged.has(item.id) && item.isDaily !== isDaily)
      .map(({ fullName }) => ({
        ...doneBy(member, platform),
        action: isDaily ? "activate-daily-backup" : "deactivate-daily-backup",
        subject: fullName,
      })),
  );
  await s.live.publish(member.organisationId, [
    { method: "items-changed", platform, connectionId, ids: changed },
  ]);
  return changed;
}

function refuseTooMany(count: number): void {
  if (count === 0 || count > ITEMS_PER_CALL) {
    throw new AppError("err.request.invalid", { message: `Choose between 1 and ${ITEMS_PER_CALL} items.` });
  }
}
