import { numberOf } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Completeness, ListedManifest } from "#core/vault/index.ts";
import { listSpans, replaceSpans } from "./object-spans.store.ts";
import { changeOfSpans, objectsBySeq } from "./object-spans.ts";

/** A manifest to add, as its own bytes tell it. */
type AddedManifest = ListedManifest & { completeness: Completeness; createdAt: number };

/** Manifests per batch. */
const MANIFESTS_AT_ONCE = 50;

/**
 * Adds manifests to an item that nobody backs up meanwhile, in their order, with the spans of their objects. Existing ones
 * stay unchanged. The spans come first, and manifests are added in order, so an interrupted call can be repeated.
 */
export async function addManifests(
  ledger: LedgerDatabase,
  itemId: string,
  manifests: readonly AddedManifest[],
): Promise<void> {
  const [known, spans] = [await listNumbers(ledger, itemId), await listSpans(ledger, itemId)];
  const ids = new Set(known.map(({ id }) => id));
  const next = (known.at(-1)?.seq ?? 0) + 1;
  const added = manifests.filter(({ id }) => !ids.has(id)).map((each, at) => ({ ...each, seq: next + at }));
  const had = objectsBySeq(
    known.map(({ seq }) => seq),
    spans,
  );
  const kept = known.map(({ seq }) => ({ seq, objects: had.get(seq)! }));
  const change = changeOfSpans(spans, [...kept, ...added]);
  const spansFirst = replaceSpans(ledger, itemId, change, { sql: "true", values: [] });
  for (let at = 0; at < added.length; at += MANIFESTS_AT_ONCE)
    await commitTogether(ledger, [
      ...(at === 0 ? spansFirst : []),
      ...added.slice(at, at + MANIFESTS_AT_ONCE).map((each) => insert(ledger, itemId, each)),
      statement(
        ledger,
        "UPDATE item SET manifest_seq = (SELECT max(seq) FROM manifest WHERE item_id = ?1) WHERE id = ?1",
        itemId,
      ),
    ]);
}

/** The numbers of an item's manifests, in order. */
async function listNumbers(ledger: LedgerDatabase, itemId: string): Promise<{ id: string; seq: number }[]> {
  const { results } = await statement(
    ledger,
    "SELECT id, seq FROM manifest WHERE item_id = ?1 ORDER BY seq",
    itemId,
  ).all<{ id: string; seq: number }>();
  return results;
}

function insert(
  ledger: LedgerDatabase,
  itemId: string,
  manifest: AddedManifest & { seq: number },
): D1PreparedStatement {
  const { root } = manifest;
  return statement(
    ledger,
    `INSERT INTO manifest_row (item, id, root_object, root_offset, root_length, root_method, root_hash, entry_count,
       size_bytes, completeness, created_at, seq)
     VALUES (${numberOf("?1")}, ?2, ?3, ?4, ?5, ?6, ${hashBytes("?7")}, ?8, ?9, ?10, ?11, ?12)`,
    itemId,
    manifest.id,
    root.object,
    root.offset,
    root.length,
    root.method,
    root.hash,
    manifest.entryCount,
    manifest.sizeBytes,
    JSON.stringify(manifest.completeness),
    manifest.createdAt,
    manifest.seq,
  );
}
