import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { controlDatabase, vaultBucket } from "#core/database/ledgers.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { anchorAudit, auditStatement, checkAudit, recordAction, recordActions, sealAudit } from "./index.ts";

const control = controlDatabase(env);
const bucket = () => vaultBucket(env, "US");
const clock = { at: 0, now: () => clock.at };
const deps = { control, clock, ids: randomIds, bucket };

beforeEach(async () => {
  clock.at = Date.UTC(2026, 10, 3, 9);
  await run("DELETE FROM audit_entry");
  await run("DELETE FROM audit_seal");
  await run("DELETE FROM audit_waiting");
  const { objects } = await bucket().list({ prefix: "audit/" });
  await bucket().delete(objects.map(({ key }) => key));
});

const run = (text: string, ...values: (string | number | null)[]) =>
  control.$client
    .prepare(text)
    .bind(...values)
    .run();

const entryOf = (action: string) => ({
  organisationId: "org_chain",
  userId: "usr_ann",
  userName: "Ann Example",
  action,
  subject: `octo/${action}`,
  version: { id: "snp_one", takenAt: 1_000 },
});

/** Five entries, a minute apart, all in the chain. */
async function fiveEntries(): Promise<string[]> {
  for (const action of ["one", "two", "three", "four", "five"]) {
    await recordAction(deps, entryOf(action));
    clock.at += 60_000;
  }
  await sealAudit(deps);
  const { results } = await control.$client
    .prepare("SELECT entry_id FROM audit_seal ORDER BY seq")
    .all<{ entry_id: string }>();
  return results.map(({ entry_id }) => entry_id);
}

test("a trail that nobody touched is whole, and entries wait until they are sealed", async () => {
  await fiveEntries();
  await recordActions(deps, [entryOf("six"), entryOf("seven")]);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 5, waiting: 2 });
  expect(await sealAudit(deps)).toBe(2);
  expect(await sealAudit(deps)).toBe(0);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 7, waiting: 0 });
});

test.each([
  ["action", "kept-out"],
  ["subject", "octo/other"],
  ["user_name", "Bo Small"],
  ["platform", "trello"],
  ["created_at", 1],
  ["outcome", "failed"],
  ["ip", "203.0.113.9"],
  ["version_id", "snp_two"],
  ["version_taken_at", 2_000],
  ["version_taken_at", null],
])("a changed %s is found, and the first changed entry is named", async (column, value) => {
  const [, second, , fourth] = await fiveEntries();
  await run(`UPDATE audit_entry SET ${column} = ? WHERE id IN (?, ?)`, value, second!, fourth!);
  expect(await checkAudit(deps)).toEqual({ kind: "broken", fault: "altered", seq: 2, entryId: second });
});

test("a deleted entry is found, with its link and without", async () => {
  const [, , third] = await fiveEntries();
  await run("DELETE FROM audit_entry WHERE id = ?", third!);
  expect(await checkAudit(deps)).toEqual({ kind: "broken", fault: "removed", seq: 3, entryId: third });
  await run("DELETE FROM audit_seal WHERE entry_id = ?", third!);
  expect(await checkAudit(deps)).toEqual({ kind: "broken", fault: "removed", seq: 3, entryId: null });
  await run("UPDATE audit_seal SET seq = seq - 1 WHERE seq > 3");
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "moved", seq: 3 });
});

test("an entry that is deleted before it is sealed is found", async () => {
  await recordAction(deps, entryOf("one"));
  await run("DELETE FROM audit_entry");
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "removed", seq: null });
});

test("an inserted entry is found, whether it avoids the chain or claims an old time", async () => {
  const ids = await fiveEntries();
  const insert = (id: string, at: number) =>
    run(
      "INSERT INTO audit_entry (id, organisation_id, user_name, action, created_at) VALUES (?, 'org_chain', 'X', 'x', ?)",
      id,
      at,
    );
  await insert("aud_made_up", clock.at);
  await run("DELETE FROM audit_waiting");
  expect(await checkAudit(deps)).toEqual({
    kind: "broken",
    fault: "inserted",
    seq: null,
    entryId: "aud_made_up",
  });
  await run("DELETE FROM audit_entry WHERE id = 'aud_made_up'");
  await insert("aud_backdated", clock.at - 2 * HOUR_MS);
  await sealAudit(deps);
  expect(await checkAudit(deps)).toEqual({
    kind: "broken",
    fault: "inserted",
    seq: ids.length + 1,
    entryId: "aud_backdated",
  });
});

test("entries in another order are found", async () => {
  const [, second] = await fiveEntries();
  await run("UPDATE audit_seal SET seq = 100 WHERE seq = 2");
  await run("UPDATE audit_seal SET seq = 2 WHERE seq = 3");
  await run("UPDATE audit_seal SET seq = 3 WHERE seq = 100");
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "moved", seq: 2 });
  expect(second).toBeDefined();
});

test("a writer that commits late is no fault", async () => {
  const slow = auditStatement(deps, entryOf("slow"));
  clock.at += 15 * 60_000;
  await fiveEntries();
  await slow;
  await sealAudit(deps);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 6 });
});

test("sealing several times at once, while others write, appends each entry once", async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      await recordAction(deps, entryOf(`deed-${at}`));
      await sealAudit(deps);
    }),
  );
  await sealAudit(deps);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 40, waiting: 0 });
});

test("personal fields can be erased, but not replaced", async () => {
  const [first] = await fiveEntries();
  await run(
    "UPDATE audit_entry SET user_id = NULL, user_name = '', subject = NULL, ip = NULL WHERE id = ?",
    first!,
  );
  await run("UPDATE audit_seal SET salt = NULL WHERE entry_id = ?", first!);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 5 });
  await run("UPDATE audit_entry SET user_name = 'Bo Small' WHERE id = ?", first!);
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "altered", seq: 1 });
});

test("the chain is anchored once a day, and a cut or rewritten chain contradicts its anchor", async () => {
  await fiveEntries();
  await anchorAudit(deps);
  await recordAction(deps, entryOf("six"));
  await sealAudit(deps);
  await anchorAudit(deps);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", sealed: 6, anchors: 1 });
  clock.at += DAY_MS;
  await anchorAudit(deps);
  expect(await checkAudit(deps)).toMatchObject({ kind: "whole", anchors: 2 });

  await run("DELETE FROM audit_entry WHERE action = 'six'");
  await run("DELETE FROM audit_seal WHERE seq = 6");
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "removed", seq: 6 });

  // Somebody writes the whole chain anew, with other words.
  await run("UPDATE audit_entry SET subject = 'octo/other' WHERE action = 'two'");
  await run("DELETE FROM audit_seal");
  await run("INSERT INTO audit_waiting (entry_id) SELECT id FROM audit_entry ORDER BY created_at");
  await recordAction(deps, entryOf("seven"));
  await sealAudit(deps);
  expect(await checkAudit(deps)).toMatchObject({ kind: "broken", fault: "altered", seq: 5 });
});

test("an anchor whose content was changed is named", async () => {
  await fiveEntries();
  await anchorAudit(deps);
  const { objects } = await bucket().list({ prefix: "audit/" });
  await bucket().put(objects[0]!.key, '{"date":"2026-11-03","hash":"0","seq":5}');
  expect(await checkAudit(deps)).toEqual({ kind: "anchor-altered", key: objects[0]!.key });
});
