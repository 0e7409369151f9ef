import type { PlatformPlace, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import { requireRestorePlace, translateFailure } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { SessionServices, Uses } from "#core/services.ts";
import { openRestoreSession, type Restorable } from "./open-restorable.ts";
import { restoredName } from "./restored-name.ts";

/** The requested target of a restore. */
export type TargetWish = {
  /** An existing item by the platform's id, or the version's own item if the id is null; null = a new item. */
  into: { externalId: string | null } | null;
  /** Of a new item; null or empty = the original name with `_restored`. */
  name: string | null;
};

/**
 * Resolves the target of a restore. Reads an existing target from the platform, so the account must have access to it.
 *
 * @param findPlace Returns the place of a new item; null = none.
 * @throws AppError `err.request.invalid` for a kind of target that the platform does not support, `err.not.found`, and
 *   the platform's errors
 */
export async function resolveTarget(
  s: SessionServices,
  open: Restorable,
  { into, name }: TargetWish,
  findPlace: () => Promise<PlatformPlace | null>,
): Promise<RestoreTarget> {
  const { item, connector, part } = open;
  const { limits, supports } = connector.descriptor;
  const kind = into === null ? "new" : "existing";
  const kinds = part === null ? supports.restores.whole : (supports.restores.parts?.into ?? []);
  if (!kinds.includes(kind)) {
    const message =
      kind === "new" ? "It can only be added to something that exists." : "It needs a new item.";
    throw new AppError("err.request.invalid", { message });
  }
  if (into !== null) return { kind: "existing", item: await findExisting(s, open, into.externalId) };
  return {
    kind: "new",
    name: restoredName(name, item.name, limits.restoredNameLength),
    place: await findPlace(),
  };
}

/**
 * Returns the target of a restore before it is ordered: with the default name, and without a check that the version's
 * own item still exists. @throws AppError as `resolveTarget`
 */
export async function likelyTarget(
  s: SessionServices & Uses<"ledger">,
  open: Restorable,
  { into, placeId }: Pick<TargetWish, "into"> & { placeId: string | null },
): Promise<RestoreTarget> {
  const isItemDeleted = open.item.status === "deleted";
  const isSource = into?.externalId === open.item.externalId;
  const wish = { into: isSource ? { externalId: null } : into, name: null };
  return await resolveTarget(s, open, wish, async () =>
    placeId === null ? null : await requireRestorePlace(s, open.connection, { placeId, isItemDeleted }),
  );
}

async function findExisting(s: SessionServices, open: Restorable, externalId: string | null) {
  const { item, connector } = open;
  if (externalId === null) return { externalId: item.externalId, name: item.name, fullName: item.fullName };
  const reference = { kind: item.kind, externalId, fullName: "" };
  const found = await connector.getItem(openRestoreSession(s, open), reference).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  return { externalId: found.externalId, name: found.name, fullName: found.fullName };
}
