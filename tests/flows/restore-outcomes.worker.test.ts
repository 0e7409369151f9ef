import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory } from "#core/backups/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

/** Outcomes of a successful restore: complete, with notes, or with something missing. */

const STRANGER = "somebody@elsewhere.example";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("pipelines", "tiny");
  const workflow = { path: ".github/workflows/check.yml", base64: btoa("on: push\n") };
  await world.outside.control(`repos/${item.fullName}/files`, { files: [workflow] });
  await world.drain();
});
afterAll(() => world.close());

async function restored(name: string) {
  const version = await newestSnapshot(world, item.id);
  await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: version.id, name, place: null }],
    placeId: null,
    emails: [world.member.email, STRANGER],
  });
  await world.drain();
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 20 });
  const row = rows.find(({ restoredTo }) => restoredTo?.name === name);
  const mailTo = (address: string) =>
    world.mails.findLast(({ to, subject }) => to === address && subject.includes("restored"))!;
  return { row: row!, mail: mailTo(world.member.email), toStranger: mailTo(STRANGER) };
}

test("a restore that restored no branch is incomplete in history and e-mail and says what is missing", async () => {
  await world.outside.control("settings", { canWriteWorkflows: false });
  const { row, mail, toStranger } = await restored("without-branches");
  expect(row.status).toBe("success");
  expect(row.outcome).toMatchObject({ missing: 1 });
  expect(row.report?.missing).toEqual([
    { what: "main", reason: expect.stringMatching(/Workflows: write.*refusing to allow/) },
  ]);
  expect(row.report?.restored.branch ?? 0).toBe(0);
  expect(mail.subject).toBe("pipelines was restored as without-branches, but not all of it");
  expect(mail.text).toContain("The restore is incomplete");
  expect(mail.text).toMatch(/main\s+.*refusing to allow/);
  expect(mail.text).not.toContain("says what is missing.");
  expect(toStranger.subject).toBe(mail.subject);
  expect(toStranger.text).toContain("The report in the history says what is missing.");
  expect(toStranger.text).not.toMatch(/refusing to allow/);
});

test("a restore of everything is complete, with its notes counted separately", async () => {
  await world.outside.control("settings", { canWriteWorkflows: true });
  const { row, mail } = await restored("with-branches");
  expect(row.report?.restored).toMatchObject({ branch: 1 });
  expect(row.outcome).toEqual({
    missing: 0,
    notes: (row.report?.changed.length ?? 0) + (row.report?.impossible.length ?? 0),
  });
  expect(mail.subject).toBe("pipelines was restored as with-branches");
  expect(mail.text).toMatch(/The restore is complete/);
});

test("an e-mail to a non-member contains no name that could link to another site", async () => {
  const { mail, toStranger } = await restored("win-at-lucky.example");
  expect(mail.subject).toBe("pipelines was restored as win-at-lucky.example");
  expect(toStranger.subject).toBe("pipelines was restored as the item");
  expect(toStranger.text.replaceAll(/https?:\S+/g, "")).not.toContain("lucky");
});
