import { z } from "zod";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import type { AuditEntry } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import {
  type ConnectionRow,
  type ConnectionScope,
  doneBy,
  requireConfirmed,
  requireConnections,
  requireRestorePlace,
} from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { invariant } from "#core/kernel/invariant.ts";
import type { Member } from "#core/organisations/index.ts";
import type { NewRun } from "#core/runs/index.ts";
import type { EngineServices, SessionServices, Uses } from "#core/services.ts";
import { MAX_EMAILS, RESTORES_PER_CALL } from "./limits.ts";
import { openRestorable, type Restorable } from "./open-restorable.ts";
import type { NamedMatch } from "./restore-answers.schema.ts";
import { type OrderedRestore, restoreOrder } from "./restore-order.ts";
import { requireAnswers } from "./restore-questions.ts";
import { resolveTarget } from "./restore-target.ts";
import { startRestores } from "./start-restores.ts";

const emailSchema = z.email().max(254);

/** One item to restore. */
export type RestoreWish = {
  itemId: string;
  snapshotId: string;
  /** Path of the only entry to restore; omitted = the whole version. */
  part?: string | null;
  /** The platform's id of the target item; omitted = a new one. */
  into?: { externalId: string } | null;
  /** Null or empty = the original name with `_restored`. */
  name: string | null;
  /** Place of the new item. Null = the item's own place. */
  place: { externalId: string } | null;
  /** By the names of the connector's questions, e.g. whether pull requests become branches. */
  answers?: RestoreAnswers;
  /** The answer to a matching question by names. What no match names is left out. */
  matches?: readonly NamedMatch[];
};

/** Restores of one connection's items. They are queued together. */
type RestoreGroup = {
  connection: ConnectionRow;
  ledger: LedgerDatabase;
  runs: NewRun[];
  entries: AuditEntry[];
};

/**
 * Queues restores of versions or of parts of them, each into a new item or into a chosen existing one. Checks
 * everything before it queues anything, so a refused call has no effect.
 *
 * @throws AppError `err.restore.name`, `err.snapshot.not.restorable`, `err.item.busy`, `err.plan.required`,
 *   `err.request.invalid`, `err.not.found`, and the platform's errors about the target
 */
export async function requestRestores(
  s: EngineServices,
  member: Member,
  input: ConnectionScope & {
    kind: string;
    items: readonly RestoreWish[];
    placeId: string | null;
    emails: readonly string[];
  },
): Promise<{ runIds: string[] }> {
  const { platform, kind } = input;
  await requireConnections(s, member, input, "manage");
  if (input.items.length === 0 || input.items.length > RESTORES_PER_CALL) {
    throw new AppError("err.request.invalid", {
      message: `Choose between 1 and ${RESTORES_PER_CALL} items.`,
    });
  }
  if (input.items.length > 1) {
    const { hasProFeatures } = await entitlementsOf(s, member.organisationId, platform);
    if (!hasProFeatures) throw new AppError("err.plan.required");
  }
  const emails = checkedEmails(input.emails);
  const findPlace = placeFinder(s);
  /** By connection id. */
  const groups = new Map<string, RestoreGroup>();
  const runIds: string[] = [];
  for (const wish of input.items) {
    const open = await openRestorable(s, member, { ...wish, part: wish.part ?? null }, { platform, kind });
    const { item, part, connection, ledger } = open;
    requireConfirmed(connection);
    if (connection.status !== "active") throw new AppError("err.connection.unauthorized");
    if (input.connectionId && item.connectionId !== input.connectionId) throw new AppError("err.not.found");
    if (item.activeRunId !== null) throw new AppError("err.item.busy");
    const placeId = wish.place?.externalId ?? input.placeId ?? item.placeId;
    const order = await checkedOrder(s, open, wish, () =>
      findPlace(connection, placeId, item.status === "deleted"),
    );
    const run = { id: s.ids.next("run"), organisationId: member.organisationId, createdBy: member.userId };
    runIds.push(run.id);
    const group = groups.get(connection.id) ?? { connection, ledger, runs: [], entries: [] };
    groups.set(connection.id, group);
    group.runs.push(newRun(open, run, { ...order, emails }));
    group.entries.push({
      ...doneBy(member, platform),
      action: part === null ? "restore-item" : "restore-part",
      subject: part === null ? item.fullName : `${item.fullName}: ${part.title}`,
      occasion: `restore:${run.id}`,
      version: open.snapshot,
    });
  }
  for (const group of groups.values()) await startRestores(s, group, group);
  return { runIds };
}

/** Queues one restore. @throws AppError as `requestRestores` */
export async function requestRestore(
  s: EngineServices,
  member: Member,
  { emails, ...wish }: RestoreWish & { emails: readonly string[] },
): Promise<{ runId: string }> {
  const { item } = await requireItem(s, member, wish.itemId, "manage");
  const { platform, kind } = item;
  const order = { platform, kind, items: [wish], placeId: null, emails };
  const { runIds } = await requestRestores(s, member, order);
  const [runId] = runIds;
  invariant(runId !== undefined, "one wish makes one run");
  return { runId };
}

/** Finds places and caches them: most restores of a call share a place, and a lookup may call the platform. */
function placeFinder(s: SessionServices & Uses<"ledger">) {
  const known = new Map<string, PlatformPlace>();
  return async (
    connection: ConnectionRow,
    placeId: string | null,
    isItemDeleted: boolean,
  ): Promise<PlatformPlace | null> => {
    if (placeId === null) return null;
    const key = `${connection.id} ${placeId} ${isItemDeleted}`;
    const place = known.get(key) ?? (await requireRestorePlace(s, connection, { placeId, isItemDeleted }));
    known.set(key, place);
    return place;
  };
}

/** Resolves and checks the target and the answers of a requested restore. */
async function checkedOrder(
  s: SessionServices,
  open: Restorable,
  { into = null, name, answers: chosen = {}, matches }: RestoreWish,
  findPlace: () => Promise<PlatformPlace | null>,
): Promise<Omit<OrderedRestore, "emails">> {
  const target = await resolveTarget(s, open, { into, name }, findPlace);
  if (target.kind === "new") checkName(target.name, open.item.kind, open.connector.descriptor);
  const answers = await requireAnswers(s, open, { target, chosen, matches });
  return { target, part: open.part, answers: { ...answers }, takenAt: open.snapshot.takenAt };
}

function newRun(
  { connection, item, snapshot }: Restorable,
  run: Pick<NewRun, "id" | "organisationId" | "createdBy">,
  order: OrderedRestore,
): NewRun {
  return {
    ...run,
    connectionId: connection.id,
    itemId: item.id,
    platform: item.platform,
    kind: "restore",
    trigger: "user",
    order: restoreOrder.write(order),
    snapshotId: snapshot.id,
  };
}

/** @throws AppError `err.restore.name` for a name that the platform rejects */
function checkName(
  name: string,
  kind: string,
  { limits, itemKinds }: Pick<PlatformDescriptor, "limits" | "itemKinds">,
): void {
  const { restoredNameLength, restoredNameRule } = limits;
  if (name.length > restoredNameLength || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new AppError("err.restore.name");
  }
  const isTitle = itemKinds.find(({ id }) => id === kind)?.isSub === true;
  if (restoredNameRule && !isTitle && !new RegExp(`^(?:${restoredNameRule.pattern})$`, "u").test(name)) {
    throw new AppError("err.restore.name", { message: restoredNameRule.message });
  }
}

/** Removes spaces and duplicates. @throws AppError `err.request.invalid` */
function checkedEmails(emails: readonly string[]): string[] {
  const cleaned = [
    ...new Set(emails.map((email) => email.replace(/\s+/g, "")).filter((email) => email !== "")),
  ];
  if (cleaned.length > MAX_EMAILS || cleaned.some((email) => !emailSchema.safeParse(email).success)) {
    throw new AppError("err.request.invalid", { message: "Please enter valid e-mail addresses." });
  }
  return cleaned;
}
