import { afterAll, beforeAll, expect, test } from "vitest";
import { searchItems } from "#core/inventory/index.ts";
import { searchStatement } from "#core/inventory/search-items.store.ts";
import type { Member } from "#core/organisations/index.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { planOf } from "#tests/harness/query-plans.ts";

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
  for (const name of ["plans", "web-plans", "Plant-Finder", "notes_100"]) await world.protect(name, "tiny");
  await world.drain();
});
afterAll(() => world.close());

const search = (text: string, member: Member = world.member) => searchItems(world.services, member, { text });
const namesFor = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).items.map(({ name }) => name);

test("names that begin with the first word come first, each must contain every word, and no letter has a meaning", async () => {
  expect(await namesFor("PLAN")).toEqual(["plans", "Plant-Finder", "web-plans"]);
  expect(await namesFor(" plan  finder ")).toEqual(["Plant-Finder"]);
  expect(await namesFor("S_1")).toEqual(["notes_100"]);
  expect(await namesFor("s%1")).toEqual([]);
  expect(await namesFor("  ")).toEqual([]);
});

test("a found item tells what the member may do with it", async () => {
  const own = (await search("web")).items[0];
  expect(own).toMatchObject({ name: "web-plans", isConnected: true, canRestore: true, canBackUp: true });
  expect(own?.lastBackupAt).not.toBeNull();
  const reader: Member = { ...world.member, role: "member", platformRoles: { [PLATFORM]: "user" } };
  expect((await search("web", reader)).items).toMatchObject([{ canRestore: false, canBackUp: false }]);
});

test("a member without a role on the platform, and another organisation, find nothing", async () => {
  expect(await namesFor("plan", { ...world.member, role: "member", platformRoles: {} })).toEqual([]);
  expect(await namesFor("plan", await world.stranger())).toEqual([]);
});

test("a search walks an index of names, and the rows of its answer", async () => {
  const query = {
    organisationId: "o",
    lists: [{ connectionId: "c", kind: "k" }],
    words: ["a", "b"],
    limit: 9,
  };
  const texts: string[] = [];
  const spy = { $client: { prepare: (text: string) => ({ bind: () => texts.push(text) }) } };
  searchStatement(spy as never, query);
  const plan = await planOf(world.services.ledger("DE").$client, texts[0]!);
  const tables = plan.filter((text) => /\b(named|item)\b/.test(text));
  expect(tables).toEqual([
    expect.stringContaining(
      "SEARCH named USING COVERING INDEX item_name (organisation_id=? AND connection_id=? AND kind=?)",
    ),
    expect.stringMatching(/SEARCH item USING INDEX .*\(id=\?\)/),
  ]);
});
