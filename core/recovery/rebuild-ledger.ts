import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { getOrganisationKey } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { VaultError } from "#core/vault/index.ts";
import { isMark, readErased } from "./erasure-marks.ts";
import { rebuildItem } from "./rebuild-item.ts";
import { listConnections, listHolders, listPresentItems } from "./recovery.store.ts";
import type { Holder, Listed, RebuildEvent } from "./types.ts";

type RebuildServices = Uses<"clock" | "control" | "ledger" | "bucket"> & {
  settings: { MASTER_KEYS: string };
};

/** Organisations per statement. */
const HOLDERS_AT_ONCE = 500;

/**
 * Makes the ledger of a region again from its bucket and the control database, item by item. What an item needs is in
 * place before its own row, so an interrupted rebuild is repeated: it passes over the items that are there. It writes
 * nothing into the bucket and changes no row that exists.
 *
 * It must run before the product opens again, since it takes what nothing describes for left over.
 *
 * @param only One organisation's id; null = all.
 * @param isAgain Goes through items that are there, too, e.g. after missing objects came back.
 */
export async function* rebuildLedger(
  s: RebuildServices,
  { region, only = null, isAgain = false }: { region: Region; only?: string | null; isAgain?: boolean },
): AsyncGenerator<RebuildEvent, void> {
  const known = new Set<string>();
  for (let after = ""; ; ) {
    const holders = await listHolders(s.control, after, HOLDERS_AT_ONCE);
    for (const organisationId of holders) {
      known.add(organisationId);
      if (only === null || only === organisationId)
        yield* rebuildHolder(s, { region, organisationId, isAgain });
    }
    if (holders.length < HOLDERS_AT_ONCE) break;
    after = holders.at(-1)!;
  }
  if (only === null) yield* reportStrangers(s.bucket(region), known);
}

async function* rebuildHolder(
  s: RebuildServices,
  { region, organisationId, isAgain }: { region: Region; organisationId: string; isAgain: boolean },
): AsyncGenerator<RebuildEvent, void> {
  const bucket = s.bucket(region);
  const ledger = s.ledger(region, organisationId);
  const erased = await readErased(bucket, organisationId);
  if (erased.isWhole) {
    yield { type: "erased", organisationId, itemId: null };
    return;
  }
  const holder = await openHolder(s, organisationId);
  if (holder instanceof Error) {
    yield { type: "problem", organisationId, itemId: null, message: holder.message };
    return;
  }
  for await (const { itemId, objects } of listItems(bucket, organisationId)) {
    const isPresent = !isAgain && (await listPresentItems(ledger, [itemId])).has(itemId);
    if (isPresent) yield { type: "present", organisationId, itemId };
    else
      yield* rebuildItem(s, {
        region,
        holder,
        scope: { organisationId, itemId },
        objects,
        erased,
      });
  }
}

/** The key and the accounts of an organisation; an error when its key does not open. */
async function openHolder(
  s: Pick<RebuildServices, "control" | "settings">,
  organisationId: string,
): Promise<Holder | Error> {
  try {
    const organisationKey = await getOrganisationKey(s, organisationId);
    return { organisationKey, connections: await listConnections(s.control, organisationId) };
  } catch (cause) {
    if (cause instanceof VaultError) return cause;
    if (cause instanceof AppError) return new Error("Its key was deleted: what it had cannot be read.");
    throw cause;
  }
}

/** Lists an organisation's objects item by item. Keys are listed in order, so memory holds one item's. */
async function* listItems(
  bucket: R2Bucket,
  organisationId: string,
): AsyncGenerator<{ itemId: string; objects: Map<string, Listed> }, void> {
  const prefix = `${organisationId}/`;
  let current = { itemId: "", objects: new Map<string, Listed>() };
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor ? { cursor } : {}) });
    for (const { key, size, uploaded } of page.objects) {
      const [itemId = "", objectId = ""] = key.slice(prefix.length).split("/");
      if (current.itemId !== itemId) {
        if (current.objects.size > 0) yield current;
        current = { itemId, objects: new Map() };
      }
      current.objects.set(objectId, { storedBytes: size, uploadedAt: uploaded.getTime() });
    }
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  if (current.objects.size > 0) yield current;
}

/** Names what the bucket has of organisations that the control database does not know. */
async function* reportStrangers(
  bucket: R2Bucket,
  known: ReadonlySet<string>,
): AsyncGenerator<RebuildEvent, void> {
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ delimiter: "/", ...(cursor ? { cursor } : {}) });
    for (const prefix of page.delimitedPrefixes) {
      const organisationId = prefix.slice(0, -1);
      if (!organisationId.startsWith("org_") || isMark(prefix) || known.has(organisationId)) continue;
      const { isWhole } = await readErased(bucket, organisationId);
      if (isWhole) yield { type: "erased", organisationId, itemId: null };
      else
        yield {
          type: "problem",
          organisationId,
          itemId: null,
          message:
            "The control database does not know the organisation, so there is no key to read its objects.",
        };
    }
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}
