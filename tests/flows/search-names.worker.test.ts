import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseVersion, requestBackup } from "#core/backups/index.ts";
import { findPlace, openForReading } from "#core/browsing/index.ts";
import { addItems, type ItemView, removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { searchNames } from "#core/names/index.ts";
import { SEARCH_BUDGET } from "#core/names/limits.ts";
import { listIndexedItems } from "#core/names/names.store.ts";
import type { Member } from "#core/organisations/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { nightWatch, plansOfNobody } from "#tests/harness/night-watch.ts";
import { type OutsideTrello, openTrello } from "#tests/harness/outside.ts";

// Each test continues where the one before it ended.

const TRELLO = "trello";

let world: FlowWorld;
let trello: OutsideTrello;
let board: ItemView;
let repository: ItemView;
let card: { id: string };
let stranger: Member;
let foreignBoard: ItemView;

beforeAll(async () => {
  trello = await openTrello();
  world = await openFlowWorld({ vars: trello.vars });
  const { id } = await trello.control<{ id: string }>("boards", { name: "Harbour works", content: "empty" });
  const list = await trello.control<{ id: string }>(`boards/${id}/lists`, { name: "To do" });
  card = await trello.control(`boards/${id}/cards`, { list: list.id, name: "The Login Button is blue" });
  await trello.control(`boards/${id}/cards`, { list: list.id, name: "Buy rope" });
  await trello.control(`cards/${card.id}/attachments`, { name: "mockup.png", text: "picture" });
  repository = await world.protect("web-shop", "tiny");
  const files = [{ path: "src/forms/login-button.tsx", randomBytes: 200 }];
  await world.outside.control(`repos/${repository.fullName}/files`, { files });
  board = await protectBoard(world.member, id);
  stranger = await world.stranger();
  foreignBoard = await protectBoard(stranger, id);
  await world.drain();
});
afterAll(async () => {
  await world.close();
  await trello.close();
});

async function protectBoard(member: Member, externalId: string): Promise<ItemView> {
  await connect({ ...world, member }, TRELLO, "nora_lindqvist");
  const order = { platform: TRELLO, kind: "board", placeId: null, externals: [{ externalId }] };
  return (await addItems(world.services, member, order)).added[0]!;
}

async function backUp(itemId: string): Promise<void> {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: TRELLO, itemId });
  await world.drain();
}

const search = (
  text: string,
  member: Member = world.member,
  more: { after?: string; budget?: object } = {},
) =>
  searchNames(
    world.services,
    member,
    { text, after: more.after ?? null },
    { ...SEARCH_BUDGET, ...more.budget },
  );
const found = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).items.flatMap(({ id, names }) => names.map(({ one, title }) => [id, one, title]));
const indexOf = async (itemId: string) =>
  (
    await world.rows<{ object_id: string; manifest_id: string }>(
      "SELECT * FROM name_index WHERE item_id = ?",
      itemId,
    )
  )[0];
const namesObjects = (itemId: string) =>
  world.rows<{ id: string; key: string }>(
    "SELECT id, key FROM object WHERE kind = 'names' AND item_id = ?",
    itemId,
  );

test("what a checked version holds is found by a part of its name, newest version first, and opens where it is seen", async () => {
  const { items, ...rest } = await search("LOGIN button");
  expect(items.map(({ id, names }) => [id, names.map(({ one, title }) => [one, title])])).toEqual([
    [board.id, [["card", "The Login Button is blue"]]],
    [repository.id, [["file", "login-button.tsx"]]],
  ]);
  expect(rest).toEqual({ searched: 2, next: null, cut: [], unindexed: 0 });
  expect(await found("nothing like that")).toEqual([]);
  expect(await search(" ")).toMatchObject({ items: [], searched: 0 });

  const places = [];
  for (const { id, snapshotId, names } of [...items, ...(await search("mockup")).items]) {
    expect(snapshotId).toBe((await newestSnapshot(world, id)).id);
    const open = await openForReading(world.services, world.member, { itemId: id, snapshotId });
    places.push(await findPlace(open, names[0]!.path));
  }
  const onBoard = { type: "part", viewKind: "board", viewId: "board", partId: card.id };
  expect(places).toEqual([
    onBoard,
    { type: "file", viewId: "git", ref: "refs/heads/main", path: "src/forms/login-button.tsx" },
    onBoard,
  ]);
});

test("a member without the right to read versions, one without a plan, and another organisation find nothing of it", async () => {
  const reader: Member = { ...world.member, role: "member", platformRoles: { [TRELLO]: "user" } };
  const admin: Member = { ...world.member, role: "member", platformRoles: { [TRELLO]: "admin" } };
  expect(await found("login", reader)).toEqual([]);
  expect(await found("login", admin)).toEqual([[board.id, "card", "The Login Button is blue"]]);
  const setEnd = (endsAt: number | null) =>
    env.DB.prepare("UPDATE subscription SET ends_at = ? WHERE organisation_id = ? AND platform = ?")
      .bind(endsAt, world.member.organisationId, TRELLO)
      .run();
  await setEnd(1);
  expect(await found("login", admin)).toEqual([]);
  await setEnd(null);

  expect(await found("login", stranger)).toEqual([[foreignBoard.id, "card", "The Login Button is blue"]]);
  const connectionIds = [board.connectionId, repository.connectionId];
  const { organisationId } = stranger;
  const asked = { after: null, limit: 9 };
  const rows = await listIndexedItems(
    world.services.ledger(world.region),
    { organisationId, connectionIds },
    asked,
  );
  expect(rows).toEqual([]);
});

test("a search reads a bounded number of indexes, says where to go on, and stops when it has enough", async () => {
  const first = await search("e", world.member, { budget: { items: 1 } });
  expect(first).toMatchObject({ searched: 1, items: [{ id: board.id }], unindexed: 0 });
  const second = await search("e", world.member, { budget: { items: 1 }, after: first.next! });
  expect(second).toMatchObject({ searched: 1, items: [{ id: repository.id }], next: null, unindexed: null });
  const early = await search("e", world.member, { budget: { atOnce: 1, enough: 1 } });
  expect(early).toMatchObject({ searched: 1, next: first.next });
  const [short] = (await search("o", world.member, { budget: { perItem: 1 } })).items;
  expect(short).toMatchObject({ names: { length: 1 }, hasMore: true });

  await world.rows("UPDATE name_index SET is_cut = 1, name_count = 5000 WHERE item_id = ?", board.id);
  expect((await search("rope")).cut).toEqual([{ name: "Harbour works", count: 5000 }]);
  await world.rows("UPDATE name_index SET is_cut = 0 WHERE item_id = ?", board.id);
});

test("the index is encrypted, and a search reads one object for each item", async () => {
  const [object] = await namesObjects(board.id);
  const bytes = new Uint8Array(await (await env[`VAULT_${world.region}`].get(object!.key))!.arrayBuffer());
  expect(fromUtf8(bytes.subarray(0, 4))).toBe("HFV1");
  const keys: string[] = [];
  const bucket = world.services.bucket(world.region);
  const counted = new Proxy(bucket, {
    get: (target, name) => (key: string, options?: R2GetOptions) => {
      keys.push(`${String(name)} ${key}`);
      return target.get(key, options);
    },
  });
  await searchNames({ ...world.services, bucket: () => counted }, world.member, {
    text: "login",
    after: null,
  });
  expect(keys.length).toBe(2);
  expect(keys).toContain(`get ${object!.key}`);
});

test("the listing of indexes walks the index of an organisation in its order", async () => {
  const texts: string[] = [];
  const nothing = { all: async () => ({ results: [] }) };
  const prepare = (text: string) => {
    texts.push(text);
    return { bind: () => nothing };
  };
  await listIndexedItems(
    { $client: { prepare } } as never,
    { organisationId: "o", connectionIds: [] },
    { after: null, limit: 9 },
  );
  const plan = await world.ledger
    .prepare(`EXPLAIN QUERY PLAN ${texts[0]}`)
    .bind("o", "[]", 1, "a", 9)
    .all<{ detail: string; parent: number }>();
  const details = plan.results.filter(({ parent }) => parent === 0).map(({ detail }) => detail);
  expect(details[0]).toMatch(/^SEARCH named USING INDEX name_index_newest \(organisation_id=\?/);
  expect(details.join("\n")).not.toContain("TEMP B-TREE");
});

test("a newer version replaces the index only if its names changed; the old bytes go, the live ones stay", async () => {
  const before = await indexOf(board.id);
  await trello.control(`cards/${card.id}/comments`, { text: "no name" });
  await backUp(board.id);
  const same = await indexOf(board.id);
  expect(same!.object_id).toBe(before!.object_id);
  expect(same!.manifest_id).not.toBe(before!.manifest_id);
  expect(same!.manifest_id).toBe((await newestSnapshot(world, board.id)).manifest_id);

  await trello.control(`cards/${card.id}/edit`, { name: "Sign-in field" });
  await backUp(board.id);
  expect(await found("login button")).toEqual([[repository.id, "file", "login-button.tsx"]]);
  const [row] = (await search("SIGN-IN")).items;
  expect(row).toMatchObject({ id: board.id, snapshotId: (await newestSnapshot(world, board.id)).id });

  const after = await indexOf(board.id);
  expect(after!.object_id).not.toBe(before!.object_id);
  for (let night = 0; night < 3; night++) {
    await world.tick((s, region) => nightWatch(s, region, plansOfNobody));
    world.clock.advance(DAY_MS + HOUR_MS);
  }
  expect((await namesObjects(board.id)).map(({ id }) => id)).toEqual([after!.object_id]);
  expect(await found("sign-in")).toHaveLength(1);
  expect(await findFaults(world)).toEqual([]);
});

test("a version whose check fails leaves the index as it is, and an item without one is told", async () => {
  const index = await indexOf(board.id);
  const version = await newestSnapshot(world, board.id);
  await world.rows("UPDATE snapshot SET verify_state = 'failed' WHERE id = ?", version.id);
  expect(await search("sign-in")).toMatchObject({ items: [], unindexed: 1 });
  await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", version.id);
  expect(await found("sign-in")).toHaveLength(1);
  expect(await indexOf(board.id)).toEqual(index);
});

test("names of an erased version and of a removed item are found no more, and their bytes go", async () => {
  const snapshot = await newestSnapshot(world, board.id);
  await eraseVersion(world.services, world.member, { itemId: board.id, snapshotId: snapshot.id });
  expect(await indexOf(board.id)).toBeUndefined();
  expect(await search("sign-in")).toMatchObject({ items: [], unindexed: 1 });
  for (let night = 0; night < 3; night++) {
    await world.tick((s, region) => nightWatch(s, region, plansOfNobody));
    world.clock.advance(DAY_MS + HOUR_MS);
  }
  expect(await namesObjects(board.id)).toEqual([]);

  await removeItems(world.services, world.member, {
    platform: "github",
    kind: repository.kind,
    itemIds: [repository.id],
  });
  expect(await search("login")).toMatchObject({ items: [], searched: 0 });
  await world.drain();
  expect(await indexOf(repository.id)).toBeUndefined();
  expect(await namesObjects(repository.id)).toEqual([]);
  expect(await found("login", stranger)).toHaveLength(1);
  expect(await findFaults(world)).toEqual([]);
});
