import { numberOf } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { DraftResult } from "#core/vault/index.ts";
import {
  changeOfSpans,
  type NumberedManifest,
  type ObjectSpan,
  type SpanReplacement,
} from "./object-spans.ts";

/** Ids per bound value or row: 33 bytes each as JSON, so less than the megabyte that a value of D1 should have. */
const IDS_PER_LIST = 25_000;
/** Spans per bound value or row: about 60 bytes each. */
const SPANS_PER_LIST = 10_000;

/**
 * What a new manifest changes in the lists of its item. It holds while the item's newest manifest has the number `seq`.
 * The new one gets the next number.
 */
export type SpanChange = { seq: number; come: readonly string[]; gone: readonly string[] };

/**
 * Compares the objects of a draft with those of the item's newest manifest. Mostly that is the manifest that the draft
 * built on and has read, and the cost is two rows. Otherwise it reads the open spans.
 *
 * @returns Null when the ledger has a manifest of this content that stays as it is.
 */
export async function planSpans(
  ledger: LedgerDatabase,
  itemId: string,
  { manifest, previous }: Pick<DraftResult, "manifest" | "previous">,
): Promise<SpanChange | null> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT manifest_seq AS seq,
         CASE WHEN ${STAYS({ id: "?1", number: "number" }, { id: "?2", object: "?3", offset: "?4" })} THEN 'stays'
           WHEN EXISTS (SELECT 1 FROM manifest_row WHERE manifest_row.item = number AND seq = manifest_seq
             AND manifest_row.id = ?5 AND root_object = ?6 AND root_offset = ?7) THEN 'follows' END AS manifest
       FROM item JOIN numbered_item ON item_id = item.id WHERE item.id = ?1`,
      itemId,
      manifest.id,
      manifest.root.object,
      manifest.root.offset,
      previous?.id ?? null,
      previous?.root.object ?? null,
      previous?.root.offset ?? null,
    ),
  ]);
  const row = found?.results[0];
  if (row?.manifest === "stays") return null;
  const seq = Number(row?.seq ?? 0);
  const known =
    previous && row?.manifest === "follows" ? previous.objects : await listOpen(ledger, itemId, seq);
  const [had, has] = [new Set(known), new Set(manifest.objects)];
  return {
    seq,
    come: manifest.objects.filter((id) => !had.has(id)),
    gone: known.filter((id) => !has.has(id)),
  };
}

/**
 * SQL that is true when a manifest of this content exists and a commit leaves it as it is. A manifest's id names its
 * content, not its location: one that failed its check gets a new location with the next commit.
 */
export const STAYS = (
  item: { id: string; number: string },
  { id, object, offset }: { id: string; object: string; offset: string },
) =>
  `EXISTS (SELECT 1 FROM manifest_row WHERE manifest_row.item = ${item.number} AND ${sameHash("manifest_row.id", id)}
     AND ((root_object = ${object} AND root_offset = ${offset})
       OR NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.item_id = ${item.id} AND snapshot.manifest_id = ${id}
         AND snapshot.verify_state = 'failed')))`;

async function listOpen(ledger: LedgerDatabase, itemId: string, seq: number): Promise<string[]> {
  if (seq === 0) return [];
  const [rows] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT json_group_array(object_id) AS ids FROM (SELECT object_id,
           (row_number() OVER (ORDER BY object_id) - 1) / ?2 AS part
         FROM object_span WHERE item_id = ?1 AND to_seq IS NULL) GROUP BY part`,
      itemId,
      IDS_PER_LIST,
    ),
  ]);
  return (rows?.results ?? []).flatMap(({ ids }) => JSON.parse(String(ids)) as string[]);
}

/** A list of ids as JSON texts, each small enough to bind. */
export function idLists(ids: readonly string[]): string[] {
  return inParts(ids, IDS_PER_LIST).map((part) => JSON.stringify(part));
}

/** SQL that is true when the objects of this list are stored, i.e. `prune` has not taken one. */
export const ARE_STORED = (list: string) =>
  `NOT EXISTS (SELECT 1 FROM json_each(${list}) needed LEFT JOIN object_row stored ON stored.id = needed.value
     WHERE stored.id IS NULL OR stored.status <> 'stored')`;

/**
 * Statements that end the spans of what the new manifest no longer needs and begin those of what it needs anew.
 *
 * @param guard SQL that is true when the manifest may be inserted. Its parameter is `?1`.
 */
export function changeSpans(
  ledger: LedgerDatabase,
  itemId: string,
  { seq, come, gone }: SpanChange,
  guard: { sql: string; value: string },
): D1PreparedStatement[] {
  return [
    ...idLists(gone).map((list) =>
      statement(
        ledger,
        `UPDATE span_row SET to_seq = ?3 WHERE item = ${numberOf("?2")} AND object_id IN (SELECT value FROM json_each(?4))
           AND to_seq IS NULL AND from_seq <= ?3 AND ${guard.sql}`,
        guard.value,
        itemId,
        seq,
        list,
      ),
    ),
    ...idLists(come).map((list) =>
      statement(
        ledger,
        `INSERT INTO span_row (item, object_id, from_seq)
         SELECT number, value, ?3 FROM numbered_item JOIN json_each(?4) WHERE item_id = ?2 AND ${guard.sql} AND NOT EXISTS
           (SELECT 1 FROM span_row WHERE item = number AND object_id = value AND to_seq IS NULL)`,
        guard.value,
        itemId,
        seq + 1,
        list,
      ),
    ),
  ];
}

/** Every span of an item's objects, by object. */
export async function listSpans(ledger: LedgerDatabase, itemId: string): Promise<ObjectSpan[]> {
  const [rows] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT json_group_array(json_array(object_id, from_seq, to_seq)) AS spans FROM (SELECT *,
           (row_number() OVER (ORDER BY object_id, from_seq) - 1) / ?2 AS part
         FROM object_span WHERE item_id = ?1) GROUP BY part`,
      itemId,
      SPANS_PER_LIST,
    ),
  ]);
  return (rows?.results ?? []).flatMap(({ spans }) =>
    (JSON.parse(String(spans)) as [string, number, number | null][]).map(([objectId, fromSeq, toSeq]) => ({
      objectId,
      fromSeq,
      toSeq,
    })),
  );
}

/** Which spans to delete and to insert so that an item's manifests need these objects. */
export async function planReplacement(
  ledger: LedgerDatabase,
  itemId: string,
  manifests: readonly Pick<NumberedManifest, "seq" | "objects">[],
): Promise<SpanReplacement> {
  return changeOfSpans(await listSpans(ledger, itemId), manifests);
}

/**
 * Statements that replace spans.
 *
 * @param guard SQL that is true when the change may be made, and the values of its parameters from `?1`. It must fail
 *   when the item has other manifests than those of the plan, because only they change its spans.
 */
export function replaceSpans(
  ledger: LedgerDatabase,
  itemId: string,
  { gone, come }: SpanReplacement,
  guard: { sql: string; values: readonly (string | number)[] },
): D1PreparedStatement[] {
  const [item, list] = [`?${guard.values.length + 1}`, `?${guard.values.length + 2}`] as const;
  const each = (text: string, spans: readonly ObjectSpan[]) =>
    inParts(spans, SPANS_PER_LIST).map((part) => {
      const rows = part.map(({ objectId, fromSeq, toSeq }) => [objectId, fromSeq, toSeq]);
      return statement(ledger, text, ...guard.values, itemId, JSON.stringify(rows));
    });
  return [
    ...each(
      `DELETE FROM span_row WHERE item = ${numberOf(item)} AND (object_id, from_seq) IN
         (SELECT value->>0, value->>1 FROM json_each(${list})) AND ${guard.sql}`,
      gone,
    ),
    ...each(
      `INSERT INTO span_row (item, object_id, from_seq, to_seq)
       SELECT ${numberOf(item)}, value->>0, value->>1, value->>2 FROM json_each(${list}) WHERE ${guard.sql}`,
      come,
    ),
  ];
}

/** Cuts a list into parts, each small enough to bind as one value. */
export function inParts<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
