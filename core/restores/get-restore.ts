import type { EntryKinds } from "#connectors/contract/platform-connector.ts";
import { connectorOf } from "#core/connections/index.ts";
import { ledgerOfItem, requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { listMembers, type Member } from "#core/organisations/index.ts";
import type { AccessServices } from "#core/services.ts";
import { restoreOrder } from "./restore-order.ts";
import { countLines, type RestoreReport, restoreReport } from "./restore-report.schema.ts";
import { findRestoreRow } from "./restores.store.ts";
import type { RestoreView } from "./views.ts";

/**
 * Returns a restore that did not fail, with its report. A run that is missing, open, failed, of another kind, of another
 * item or of another organisation throws the same error.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`
 */
export async function getRestore(
  s: AccessServices,
  member: Member,
  { itemId, runId }: { itemId: string; runId: string },
): Promise<RestoreView> {
  const key = { organisationId: member.organisationId, itemId, runId };
  const known = ledgerOfItem(s, member.organisationId, itemId);
  // What is read in parallel is returned only if the item belongs to the member.
  const [{ item, ledger }, early, members] = await Promise.all([
    requireItem(s, member, itemId, "use"),
    known && findRestoreRow(known, key),
    listMembers(s, member.organisationId),
  ]);
  const row = known ? early : await findRestoreRow(ledger, key);
  const parsed = restoreReport.read(row?.report);
  if (!row || parsed.kind === "unreadable" || row.finishedAt === null) throw new AppError("err.not.found");
  const { item: target, ...report } = parsed.value;
  const ordered = restoreOrder.read(row.order);
  const order = ordered.kind === "value" ? ordered.value : null;
  return {
    runId: row.id,
    item: {
      id: item.id,
      name: item.name,
      kind: item.kind,
      platform: item.platform,
      connectionId: item.connectionId,
    },
    by: members.find(({ userId }) => userId === row.createdBy)?.name ?? null,
    startedAt: row.startedAt ?? row.finishedAt,
    finishedAt: row.finishedAt,
    takenAt: order?.takenAt ?? null,
    part: order?.part?.title ?? null,
    target: {
      kind: order?.target.kind ?? null,
      into: order?.target.kind === "existing" ? order.target.item.name : null,
      name: nameOf(target),
      url: target.webUrl,
    },
    report,
    counts: {
      changed: countLines(report.changed),
      impossible: countLines(report.impossible),
      missing: countLines(report.missing),
    },
    words: wordsOf(connectorOf(s, item.platform), report),
  };
}

/** The full name where it tells more: on some platforms it is only an id. */
function nameOf({ name, fullName }: RestoreReport["item"]): string {
  return fullName.endsWith(`/${name}`) ? fullName : name;
}

/** The names of the kinds in a report, in the connector's order. */
function wordsOf(
  connector: { entryKinds: EntryKinds; restoredKinds?: EntryKinds },
  { restored, held, mapped }: Pick<RestoreReport, "restored" | "held" | "mapped">,
): RestoreView["words"] {
  const found = new Set([...Object.keys(restored), ...Object.keys(held), ...mapped.map(({ kind }) => kind)]);
  const named = Object.entries(connector.restoredKinds ?? connector.entryKinds);
  const unnamed = [...found].filter((kind) => !named.some(([name]) => name === kind));
  return [
    ...named.filter(([kind]) => found.has(kind)).map(([kind, { one, many }]) => ({ kind, one, many })),
    // An earlier release may have reported kinds that no longer have a name.
    ...unnamed.map((kind) => ({ kind, one: plain(kind), many: plain(kind) })),
  ];
}

const plain = (kind: string) => kind.replaceAll("-", " ");
