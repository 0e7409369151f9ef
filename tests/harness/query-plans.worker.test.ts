import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ledgerOn } from "#core/database/ledgers.ts";
import { writeClosed } from "#core/moves/doors.store.ts";
import { assertNoScans } from "./query-plans.ts";

/** A file of the product that sends what it is given. */
const sendAsProduct = (text: string) =>
  writeClosed(ledgerOn(env.LEDGER_DE), { organisationId: "org_a", epoch: 1 }, "left", [
    env.LEDGER_DE.prepare(text),
  ]).catch(() => null);

test("a statement of the product that reads a whole table fails the file of its test", async () => {
  await sendAsProduct("UPDATE item AS all_items SET name = 'a'");
  await expect(assertNoScans()).rejects.toThrow(/^\/core\/moves\/doors.store.ts reads all of item: UPDATE/);
  await sendAsProduct("DELETE FROM item WHERE name_folded IN (SELECT value FROM json_each('[]'))");
  await expect(assertNoScans()).rejects.toThrow("reads all of item");
  // SQLite reads all of a view of two tables to join it from the left.
  await sendAsProduct(
    `UPDATE export SET status = (SELECT object.status FROM run LEFT JOIN object ON object.run_id = run.id
       WHERE run.id = export.run_id) WHERE id = 'exp_a'`,
  );
  await expect(assertNoScans()).rejects.toThrow("reads all of object_row");
});

test("a test may read a whole table, and the product may look up rows", async () => {
  await env.LEDGER_DE.prepare("SELECT id FROM item WHERE name = 'a test'").all();
  await sendAsProduct("UPDATE item SET name = 'b' WHERE id = 'itm_a'");
  await sendAsProduct("UPDATE item SET name = (SELECT max(value) FROM json_each('[1]')) WHERE id = 'itm_a'");
  await assertNoScans();
});
