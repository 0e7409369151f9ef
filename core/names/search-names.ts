import { connectorOf, listAllConnections } from "#core/connections/index.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type Member, mayManage, rememberOrganisationKey } from "#core/organisations/index.ts";
import type { AccessServices, RightServices, Uses, VaultServices } from "#core/services.ts";
import { readObject, type VaultDeps, VaultError } from "#core/vault/index.ts";
import { openVaultWith } from "#core/versions/index.ts";
import { FILE_KIND } from "./gather-names.ts";
import { SEARCH_BUDGET } from "./limits.ts";
import { decodeNames, type IndexedName, matchNames, searchedWords } from "./name-index.ts";
import { countUnindexedItems, type IndexedItem, listIndexedItems, type SearchMark } from "./names.store.ts";
import type { FoundInItem, FoundName, NameSearch } from "./views.ts";

const log = logger("names");

/**
 * Searches the names inside the newest checked versions of the items whose versions the member may read. A name must
 * contain every word. Reads the indexes of at most a hundred items, the newest version first, and fewer when it has found
 * enough; `after` goes on where the last search ended. Members without the right to read a version find nothing in it.
 */
export async function searchNames(
  s: AccessServices & VaultServices,
  member: Member,
  { text, after }: { text: string; after: string | null },
  budget: typeof SEARCH_BUDGET = SEARCH_BUDGET,
): Promise<NameSearch> {
  const words = searchedWords(text);
  const nothing: NameSearch = { items: [], searched: 0, next: null, cut: [], unindexed: null };
  if (words.length === 0) return nothing;
  const { organisationId } = member;
  const places = await readableAccounts(s, member);
  if (places.size === 0) return nothing;
  const mark = readMark(after);
  const [lists, counts, key] = await Promise.all([
    Promise.all(
      [...places].map(async ([region, connectionIds]) => {
        const asked = { after: mark, limit: budget.items + 1 };
        const rows = await listIndexedItems(
          s.ledger(region, organisationId),
          { organisationId, connectionIds },
          asked,
        );
        return rows.map((row) => ({ ...row, region }));
      }),
    ),
    mark === null ? countUnindexed(s, organisationId, places) : null,
    rememberOrganisationKey(s, organisationId, s.memory)(),
  ]);
  const rows = lists.flat().sort(byAge);
  const vaults = new Map(
    [...places.keys()].map((region) => [region, openVaultWith(s, { organisationId, region }, key)]),
  );
  const look = (row: (typeof rows)[number]) =>
    searchItem(s, row, { vault: vaults.get(row.region)!, organisationId, words, most: budget.perItem });

  const answer: NameSearch = { ...nothing, items: [], cut: [], unindexed: counts };
  let found = 0;
  let at = 0;
  while (at < rows.length && at < budget.items && found < budget.enough) {
    const group = rows.slice(at, Math.min(at + budget.atOnce, budget.items));
    const items = await Promise.all(group.map(look));
    for (const [index, item] of items.entries()) {
      if (item === null) continue;
      answer.searched += 1;
      const { name, nameCount, isCut } = group[index]!;
      if (isCut) answer.cut.push({ name, count: nameCount });
      if (item.names.length > 0) answer.items.push(item);
      found += item.names.length;
    }
    at += group.length;
  }
  return { ...answer, next: at < rows.length ? writeMark(rows[at - 1]!) : null };
}

const byAge = (a: SearchMark, b: SearchMark) =>
  b.takenAt - a.takenAt || (a.itemId < b.itemId ? 1 : a.itemId > b.itemId ? -1 : 0);

/** The accounts, by region, of the platforms whose versions the member may read: the rule of opening one. */
async function readableAccounts(s: RightServices, member: Member): Promise<ReadonlyMap<Region, string[]>> {
  const connections = await listAllConnections(s, member);
  const platforms = [...new Set(connections.map(({ platform }) => platform))];
  const rights = await Promise.all(platforms.map((platform) => mayManage(s, member, platform)));
  const isReadable = new Set(platforms.filter((platform, at) => rights[at] && s.connectors.has(platform)));
  const places = new Map<Region, string[]>();
  for (const { id, platform, region } of connections)
    if (isReadable.has(platform)) places.set(region, [...(places.get(region) ?? []), id]);
  return places;
}

async function countUnindexed(
  s: Uses<"ledger">,
  organisationId: string,
  places: ReadonlyMap<Region, string[]>,
): Promise<number> {
  const counts = await Promise.all(
    [...places].map(([region, connectionIds]) =>
      countUnindexedItems(s.ledger(region, organisationId), { organisationId, connectionIds }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Searches one item. Null = its index could not be read, because a newer one replaced it meanwhile or it is damaged. */
async function searchItem(
  s: Uses<"connectors">,
  { itemId: id, platform, name, fullName, snapshotId, ...index }: IndexedItem,
  {
    vault,
    organisationId,
    words,
    most,
  }: { vault: VaultDeps; organisationId: string; words: readonly string[]; most: number },
): Promise<FoundInItem | null> {
  const { objectId, sizeBytes, hash } = index;
  try {
    const source = { scope: { organisationId, itemId: id }, id: objectId, kind: "names" as const };
    const bytes = await readObject(vault, { ...source, sizeBytes, ...(hash !== null && { hash }) });
    const { names, hasMore } = matchNames(decodeNames(bytes), words, most);
    const kinds = connectorOf(s, platform).entryKinds;
    const found = names.map((each): FoundName => {
      const { kind, title, path } = each;
      return kind === FILE_KIND
        ? foundFile(each)
        : { one: kinds[kind]?.one ?? kind, title, folder: null, path };
    });
    return { id, platform, name, fullName, snapshotId, names: found, hasMore };
  } catch (cause) {
    if (!(cause instanceof VaultError)) throw cause;
    log.warn("the index of names of {itemId} could not be read", { itemId: id, cause });
    return null;
  }
}

function foundFile({ title, path }: IndexedName): FoundName {
  const end = title.lastIndexOf("/");
  return { one: "file", title: title.slice(end + 1), folder: end < 0 ? null : title.slice(0, end), path };
}

/** A mark as text: `{time}.{item}`. A text that is none begins at the start. */
function readMark(text: string | null): SearchMark | null {
  const [, takenAt, itemId] = /^(\d{1,15})\.([a-z0-9_]{1,60})$/i.exec(text ?? "") ?? [];
  return takenAt === undefined || itemId === undefined ? null : { takenAt: Number(takenAt), itemId };
}

const writeMark = ({ takenAt, itemId }: SearchMark) => `${takenAt}.${itemId}`;
