import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ledgerBefore } from "#tests/harness/databases/ledger-before.ts";
import { dice } from "#tests/harness/dice.ts";

test("the lists of objects of a filled ledger become spans, and nothing that is needed is lost", async () => {
  const { database, migrate } = await ledgerBefore("0020");
  const roll = dice(7);
  const statements: D1PreparedStatement[] = [];
  const add = (text: string, ...values: (string | number)[]) =>
    statements.push(database.prepare(text).bind(...values));
  for (let item = 0; item < 12; item++) {
    add(
      `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
         visibility, details, status, is_daily, created_at)
       VALUES (?1, 'org', 'con', 'github', 'repository', ?1, 'a', 'a', 'a', 'private', '{}', 'backuped', 1, 1)`,
      `itm_${item}`,
    );
    // The last item has no manifests. Manifests of equal age are numbered by id.
    for (let at = 0; at < item % 12 && item < 11; at++) {
      const id = `man_${roll(1e9)}`;
      add(
        `INSERT INTO manifest (item_id, id, organisation_id, root_object, root_offset, root_length, root_method,
           root_hash, entry_count, size_bytes, completeness, created_at)
         VALUES (?1, ?2, 'org', 'obj_0', 0, 1, 0, 'hash', 1, 1, '{}', ?3)`,
        `itm_${item}`,
        id,
        Math.floor(at / 2),
      );
      for (let object = 0; object < 6; object++)
        if (roll(3) > 0)
          add(
            "INSERT INTO manifest_object (item_id, manifest_id, object_id) VALUES (?, ?, ?)",
            `itm_${item}`,
            id,
            `obj_${item}_${object}`,
          );
    }
  }
  // A manifest was deleted and its list not yet: nothing needs these objects.
  add(
    "INSERT INTO manifest_object (item_id, manifest_id, object_id) VALUES ('itm_3', 'man_gone', 'obj_gone')",
  );
  await database.batch(statements);
  const rows = async (text: string) => (await database.prepare(text).raw()) as (string | number | null)[][];
  const lists = "SELECT item_id, manifest_id, object_id FROM manifest_object";
  const before = await rows(`${lists} WHERE object_id <> 'obj_gone' ORDER BY 1, 2, 3`);
  expect(before.length).toBeGreaterThan(100);

  await migrate();

  expect(await rows(`${lists} ORDER BY 1, 2, 3`)).toEqual(before);
  // Numbers run from 1 in the order of creation, and the item knows the newest.
  const numbered = await rows("SELECT item_id, seq FROM manifest ORDER BY item_id, created_at, id");
  const counts = new Map<string, number>();
  for (const [itemId, seq] of numbered) {
    counts.set(String(itemId), (counts.get(String(itemId)) ?? 0) + 1);
    expect([itemId, seq]).toEqual([itemId, counts.get(String(itemId))]);
  }
  for (const [id, seq] of await rows("SELECT id, manifest_seq FROM item"))
    expect([id, seq]).toEqual([id, counts.get(String(id)) ?? 0]);
  // Successive manifests share a span, which is open if the newest one is among them.
  const spans = await rows("SELECT item_id, object_id, from_seq, to_seq FROM object_span ORDER BY 1, 2, 3");
  expect(spans.length).toBeLessThan(before.length * 0.6);
  for (const [at, [itemId, objectId, , toSeq]] of spans.entries()) {
    const next = spans[at + 1];
    if (next?.[0] === itemId && next?.[1] === objectId)
      expect(Number(next![2])).toBeGreaterThan(Number(toSeq) + 1);
    const newest = counts.get(String(itemId))!;
    const needs = "SELECT 1 FROM manifest_object JOIN manifest ON manifest.item_id = ?1 AND id = manifest_id";
    const isNeeded = await database
      .prepare(`${needs} WHERE manifest_object.item_id = ?1 AND object_id = ?2 AND seq = ?3`)
      .bind(itemId, objectId, newest)
      .first();
    if (toSeq === null) expect([itemId, objectId, isNeeded !== null]).toEqual([itemId, objectId, true]);
    else expect(Number(toSeq)).toBeLessThan(newest);
  }
});

test("an earlier release cannot add to the lists after the migration, and still reads them", async () => {
  const insert = "INSERT INTO manifest_object (item_id, manifest_id, object_id) VALUES ('itm', 'man', 'obj')";
  await expect(env.LEDGER_DE.prepare(insert).run()).rejects.toThrow("cannot modify manifest_object");
  const read = "SELECT 1 FROM manifest_object needs WHERE needs.object_id = 'obj'";
  expect(await env.LEDGER_DE.prepare(read).all()).toMatchObject({ results: [] });
});
