import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { ledgerBefore } from "#tests/harness/databases/ledger-before.ts";
import { dice } from "#tests/harness/dice.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addItem, addManifest, addObject, ITEM, ORGANISATION } from "#tests/harness/ledger-rows.ts";

beforeEach(emptyEverything);

const rows = async (database: D1Database, text: string) => (await database.prepare(text).all()).results;

/** What a release reads, by table or view of that name. */
const READ = {
  object: `id, organisation_id, item_id, run_id, kind, key, status, size_bytes, stored_bytes, hash, crc32, manifest_id,
    marked_at, created_at`,
  manifest: `item_id, id, organisation_id, seq, root_object, root_offset, root_length, root_method, root_hash, entry_count,
    size_bytes, completeness, created_at`,
  object_span: "item_id, object_id, from_seq, to_seq",
  manifest_object: "item_id, manifest_id, object_id",
  storage_tally: "organisation_id, hour, bytes",
  storage_total: "organisation_id, bytes",
};

const readAll = (database: D1Database) =>
  Promise.all(
    Object.entries(READ).map(([name, columns]) =>
      rows(database, `SELECT ${columns} FROM ${name} ORDER BY ${columns}`),
    ),
  );

/** Rows of eight items, as the release before the numbers wrote them. The first item is removed: only its objects are left. */
function fill(database: D1Database): D1PreparedStatement[] {
  const roll = dice(11);
  const hash = () => Array.from({ length: 64 }, () => roll(16).toString(16)).join("");
  const add = (table: string, row: Record<string, string | number | null>) =>
    database
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).map(() => "?")})`,
      )
      .bind(...Object.values(row));
  return Array.from({ length: 8 }, (_, at) => {
    const [itemId, organisationId] = [`itm_${at}`, `org_${at % 3}`];
    const of = { item_id: itemId, organisation_id: organisationId };
    const name = { external_id: itemId, name: "a", full_name: "a", name_folded: "a", created_at: 1 };
    const rest = { connection_id: "con", platform: "trello", kind: "board", visibility: "private" };
    const item = { details: "{}", status: "backuped", is_daily: 1, ...name, ...rest };
    const objects = Array.from({ length: 5 }, (_, number) => `obj_${at}_${number}`);
    const manifests = at === 0 ? [] : [hash(), hash()];
    const root = { root_object: objects[0]!, root_offset: 1, root_length: 2, root_method: 8 };
    const size = { entry_count: 3, size_bytes: 4, completeness: "{}", created_at: 5 };
    return [
      ...(at === 0 ? [] : [add("item", { id: itemId, organisation_id: organisationId, ...item })]),
      ...objects.map((id, number) =>
        add("object", {
          ...{ id, ...of, run_id: "run_a", kind: number === 4 ? "state" : "stream" },
          ...{ key: `${organisationId}/${itemId}/${id}`, status: number === 3 ? "reserved" : "stored" },
          ...{
            size_bytes: roll(99),
            stored_bytes: roll(99),
            crc32: roll(1e9),
            created_at: 3_600_000 * roll(9),
          },
          ...{
            hash: number === 3 ? null : hash(),
            manifest_id: number === 4 ? (manifests[0] ?? null) : null,
          },
          marked_at: number === 2 ? 6 : null,
        }),
      ),
      ...manifests.map((id, seq) =>
        add("manifest", { ...of, id, seq: seq + 1, root_hash: hash(), ...root, ...size }),
      ),
      ...objects.slice(0, manifests.length).map((id, seq) =>
        add("object_span", {
          item_id: itemId,
          object_id: id,
          from_seq: seq + 1,
          to_seq: seq === 0 ? 1 : null,
        }),
      ),
    ];
  }).flat();
}

test("a filled ledger gives its items numbers, and whoever reads it finds what it had", async () => {
  const { database, migrate } = await ledgerBefore("0027");
  await database.batch(fill(database));
  const before = await readAll(database);
  expect(before.map((found) => found.length)).toEqual([40, 14, 14, 14, expect.any(Number), 3]);
  await migrate();
  expect(await readAll(database)).toEqual(before);
  // Hashes are kept as bytes: half of their digits.
  expect(
    await rows(database, "SELECT DISTINCT length(hash) AS bytes FROM object_row WHERE hash IS NOT NULL"),
  ).toEqual([{ bytes: 32 }]);
});

test("an earlier release cannot write to what has numbers now, so that its step is repeated", async () => {
  for (const name of ["object", "manifest", "object_span"])
    await expect(env.LEDGER_DE.prepare(`DELETE FROM ${name}`).run()).rejects.toThrow(`cannot modify ${name}`);
});

const numbered = async () =>
  (await rows(env.LEDGER_DE, "SELECT item_id FROM numbered_item ORDER BY item_id")).map(
    ({ item_id: id }) => id,
  );
const run = (text: string) => env.LEDGER_DE.prepare(text).run();

test("an item keeps its number until its row, its objects and its manifests are gone, in any order", async () => {
  const ends = {
    item: `DELETE FROM item WHERE id = '${ITEM}'`,
    object: "DELETE FROM object_row WHERE id = 'obj_a'",
    manifest: "DELETE FROM manifest_row WHERE id = 'man_a'",
  };
  const names = ["item", "object", "manifest"] as const;
  for (const first of names)
    for (const second of names.filter((name) => name !== first)) {
      await emptyEverything();
      await addItem();
      await addItem({ id: "itm_other" });
      await addObject({ id: "obj_a" });
      await addManifest({ id: "man_a", objects: ["obj_a"] });
      expect(await numbered()).toEqual([ITEM, "itm_other"]);
      await run(ends[first]);
      await run(ends[second]);
      expect(await numbered()).toEqual([ITEM, "itm_other"]);
      await run(ends[names.find((name) => name !== first && name !== second)!]);
      expect(await numbered()).toEqual(["itm_other"]);
    }
});

test("what an organisation stores is counted with its objects, and taken back with the last one", async () => {
  await addItem();
  await addObject({ id: "obj_a", storedBytes: 40 });
  await addObject({ id: "obj_b", storedBytes: 2, status: "reserved" });
  const total = () => rows(env.LEDGER_DE, "SELECT organisation_id, bytes FROM storage_total");
  expect(await total()).toEqual([{ organisation_id: ORGANISATION, bytes: 40 }]);
  await run("UPDATE object_row SET status = 'stored' WHERE id = 'obj_b'");
  expect(await total()).toEqual([{ organisation_id: ORGANISATION, bytes: 42 }]);
  await run(`DELETE FROM item WHERE id = '${ITEM}'`);
  await run("DELETE FROM object_row");
  expect(await total()).toEqual([{ organisation_id: ORGANISATION, bytes: 0 }]);
  expect(await numbered()).toEqual([]);
});
