import {
  doneBy,
  openSession,
  requireConnection,
  requireRestorePlace,
  translateFailure,
} from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { type OpenPart, openRestorablePart } from "./open-part.ts";
import { checkedEmails, checkName } from "./request-restores.ts";
import { type RestoredPart, type RestoreOrder, restoreOrder } from "./restore-order.ts";
import { restoredName } from "./restored-name.ts";
import { startRestores } from "./start-restores.ts";

/** One part of a version to restore. */
export type PartWish = {
  itemId: string;
  snapshotId: string;
  /** Path of its entry. */
  path: string;
  /** The platform item that receives it. Null = a new one. */
  into: { externalId: string } | null;
  /** Name of a new item. Null or empty = the original name with `_restored`. */
  name: string | null;
  /** Place of a new item. Null = the item's own place. */
  place: { externalId: string } | null;
  emails: readonly string[];
};

/** Maximum title length of a part in a run and in the audit trail. */
const LONGEST_TITLE = 200;

/**
 * Queues the restore of one part of a version into a new item or an existing item of the account. It only adds to an
 * existing item and changes nothing there. Only for members who may restore the whole version.
 *
 * @throws AppError `err.not.found`, `err.item.busy`, `err.restore.name`, `err.snapshot.not.restorable`,
 *   `err.request.invalid`, and the platform's error for an item that cannot take it
 */
export async function requestPartRestore(
  s: CoreServices,
  member: Member,
  wish: PartWish,
): Promise<{ runId: string }> {
  const emails = checkedEmails(wish.emails);
  const open = await openRestorablePart(s, member, wish);
  const { item, ledger, snapshot, entry, connector } = open;
  // The same check as for every restore: an unconfirmed account cannot receive anything.
  const { connection } = await requireConnection(s, member, item.platform, "manage");
  if (connection.id !== item.connectionId) throw new AppError("err.not.found");
  if (item.activeRunId !== null) throw new AppError("err.item.busy");
  const { limits } = connector.descriptor;
  const into = wish.into === null ? null : await findTarget(s, open, wish.into);
  const name = into?.name ?? restoredName(wish.name, item.name, limits.restoredNameLength);
  if (into === null) checkName(name, limits);
  const placeId = wish.place?.externalId ?? item.placeId;
  const isItemDeleted = item.status === "deleted";
  const place =
    into !== null || placeId === null
      ? null
      : await requireRestorePlace(s, connection, { placeId, isItemDeleted });
  const title = (entry.title?.trim() || entry.path).slice(0, LONGEST_TITLE);
  const part: RestoredPart = { path: entry.path, title, into };
  const order: RestoreOrder = {
    name,
    place,
    emails,
    options: {},
    takenAt: snapshot.takenAt,
    part,
  };
  const runId = s.ids.next("run");
  await startRestores(
    s,
    { connection, ledger },
    {
      runs: [
        {
          id: runId,
          organisationId: member.organisationId,
          connectionId: connection.id,
          itemId: item.id,
          platform: item.platform,
          kind: "restore",
          trigger: "user",
          order: restoreOrder.write(order),
          snapshotId: snapshot.id,
          createdBy: member.userId,
        },
      ],
      entries: [
        {
          ...doneBy(member, item.platform),
          action: "restore-part",
          subject: `${item.fullName}: ${title}`,
          occasion: `restore:${runId}`,
        },
      ],
    },
  );
  return { runId };
}

/** Reads the item from the platform: only an item that the account can reach can receive a part. */
async function findTarget(
  s: CoreServices,
  { item, connection, connector }: OpenPart,
  { externalId }: { externalId: string },
): Promise<NonNullable<RestoredPart["into"]>> {
  const reference = { kind: item.kind, externalId, fullName: "" };
  const found = await connector.getItem(openSession(s, connection), reference).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  return { externalId: found.externalId, name: found.name, fullName: found.fullName };
}
