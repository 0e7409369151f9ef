import { afterEach, expect, test } from "vitest";
import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { kindsOf } from "#tests/conformance/connector/suite.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { backUp } from "./backup/back-up.ts";
import { inventory } from "./inventory.ts";
import type { NotionSettings } from "./simulator/state.ts";
import { isInTrash } from "./simulator/store.ts";
import { type Truth, truthOfVersion, truthOfWorld } from "./test-version-truth.ts";
import { type NotionTestWorld, openNotionWorld } from "./test-world.ts";

let world: NotionTestWorld | null = null;
afterEach(async () => {
  await world?.stop();
  world = null;
});

async function open(settings: Partial<NotionSettings> = {}) {
  world = await openNotionWorld(settings);
  const opened = world;
  const { simulator } = opened;
  let aheadMs = 0;
  const token = await opened.issueToken();
  const { config, accountName, connectionDetails } = opened;
  const take = async (previous: MemorySnapshot | null) => {
    const by = {
      ...testSession({ config, token, accountName, connectionDetails }),
      clock: { now: () => Date.now() + aheadMs },
    };
    const reference = { kind: "workspace", externalId: opened.workspaceId, fullName: "" };
    const item = await inventory.getItem(by, reference);
    const version = await takeSnapshot(backUp(by, { item, previous, cursor: null }), previous);
    const kinds = kindsOf(version);
    for (const [kind, count] of Object.entries(version.reported))
      expect([kind, kinds[kind] ?? 0]).toEqual([kind, count]);
    return version;
  };
  return {
    ...opened,
    take,
    async day() {
      aheadMs += DAY_MS;
      await opened.happen("clock", { advanceMs: DAY_MS });
    },
    truth: (): Truth => truthOfWorld(simulator.world, rootsOf(opened, token)),
  };
}

const rootsOf = ({ simulator }: NotionTestWorld, token: string) =>
  simulator.world.state.grants.find((grant) => grant.token === token)!.rootIds;

test("a first version holds every page, block, comment, file and table that Notion shows", async () => {
  const { happen, issueToken, take, truth } = await open();
  await happen("pages", { title: "Everything", content: "fleet" });
  await issueToken();
  const version = await take(null);
  expect(version.skipped).toEqual([]);
  const [found, wanted] = [await truthOfVersion(version), truth()];
  expect({ ...found, files: [] }).toEqual({ ...wanted, files: [] });
  expect([...new Set(found.files)].sort()).toEqual([...new Set(wanted.files)].sort());
});

test.each([
  ["as it is", 17, {}],
  ["with a search that lags", 2, { searchLagMs: 30 * 60_000 }],
  ["where what is below the trash does not say so", 3, { trashShowsBelow: false }],
] as const)(
  "after any changes, %s, the version is right within a week, and comments within thirty days",
  async (_, seed, settings) => {
    const opened = await open(settings);
    const { day, issueToken, take, truth } = opened;
    const changes = someChanges(opened, seed);
    for (let index = 0; index < 25; index += 1) await changes.change("make");
    await issueToken();
    let version = await take(null);
    for (let round = 0; round < 6; round += 1) {
      for (let index = 0; index < 12; index += 1) await changes.change();
      await issueToken();
      await day();
      version = await take(version);
    }
    for (let days = 0; days < 7; days += 1) {
      await day();
      version = await take(version);
    }
    const { comments: _comments, ...week } = await truthOfVersion(version);
    const { comments: _open, ...wanted } = truth();
    expect(week).toEqual(wanted);
    for (let days = 0; days < 30; days += 1) {
      await day();
      version = await take(version);
    }
    expect((await truthOfVersion(version)).comments).toEqual(truth().comments);
  },
  120_000,
);

/** Random work of people, the same for the same seed. */
function someChanges({ happen, simulator }: NotionTestWorld, seed: number) {
  const noise = createNoise(seed);
  const { world: notion } = simulator;
  const { state } = notion;
  const any = <T>(all: readonly T[]): T | undefined => all[Math.floor(noise() * all.length)];
  const alive = <T extends { id: string }>(all: Record<string, T>): T[] =>
    Object.values(all).filter(({ id }) => !isInTrash(notion, id));
  const anyPage = () => any(alive(state.pages))?.id ?? null;
  let number = 0;
  const name = (what: string) => {
    number += 1;
    return `${what} ${number}`;
  };
  const making = {
    page: () => happen("pages", { title: name("Page"), text: name("Text"), parentId: anyPage() }),
    table: () =>
      happen("tables", { title: name("Table"), parentId: anyPage(), rows: [name("Row"), name("Row")] }),
    block: async () => {
      const parentId = any([
        ...alive(state.pages),
        ...alive(state.blocks).filter(({ type }) => type === "toggle"),
      ])?.id;
      if (parentId !== undefined)
        await happen("blocks", { parentId, type: any(["toggle", "quote"]), text: name("Block") });
    },
    row: async () => {
      const source = any(alive(state.dataSources));
      if (source) await happen("rows", { dataSourceId: source.id, title: name("Row") });
    },
    comment: async () => {
      const onId = any([...alive(state.pages), ...alive(state.blocks)])?.id;
      if (onId !== undefined) await happen("comments", { onId, text: name("Comment") });
    },
    file: async () =>
      happen("pages", {
        title: name("Files"),
        parentId: anyPage(),
        files: [{ name: "f.txt", text: name("bytes") }],
      }),
  };
  const changing = {
    edit: async () => {
      const id = anyPage();
      if (id !== null) await happen(`pages/${id}/edit`, { title: name("Renamed"), text: name("Edited") });
    },
    silentText: async () => {
      const id = anyPage();
      if (id !== null) await happen(`pages/${id}/edit`, { text: name("Silent"), isSilent: true });
    },
    silentBlock: async () => {
      const parentId = anyPage();
      if (parentId !== null) await happen("blocks", { parentId, text: name("Silent block"), isSilent: true });
    },
    move: async () => {
      const id = any(alive(state.pages).filter(({ kind }) => kind === "page"))?.id;
      const parentId = anyPage();
      if (id === undefined || parentId === null || isBelow(parentId, id)) return;
      await happen(`things/${id}/move`, { parentId });
    },
    trash: async () => {
      const thing = any([...alive(state.pages), ...alive(state.databases), ...alive(state.blocks)]);
      if (thing) await happen(`things/${thing.id}/trash`, {});
    },
    bringBack: async () => {
      const thing = any(
        [...Object.values(state.pages), ...Object.values(state.databases)].filter(
          ({ isTrashed }) => isTrashed,
        ),
      );
      if (thing) await happen(`things/${thing.id}/bring-back`, {});
    },
    remove: async () => {
      const thing = any(
        Object.values(state.pages).filter(({ isTrashed, kind }) => isTrashed && kind === "row"),
      );
      if (thing) await happen(`things/${thing.id}/delete`, {});
    },
    resolve: async () => {
      const comment = any(Object.values(state.comments).filter(({ isResolved }) => !isResolved));
      if (comment) await happen(`comments/${comment.id}/resolve`, {});
    },
    // A page at the top that search misses is known to nobody, unless something below it is found.
    miss: async () => {
      const id = any(alive(state.pages).filter(({ parent }) => parent.type !== "workspace"))?.id;
      if (id !== undefined) await happen("miss-in-search", { ids: [id] });
    },
  };
  const isBelow = (id: string, above: string): boolean => {
    for (let at: string | null = id; at !== null; at = parentIn(notion, at)) if (at === above) return true;
    return false;
  };
  return {
    async change(kind: "make" | "any" = "any") {
      const all =
        kind === "make" ? Object.values(making) : [...Object.values(making), ...Object.values(changing)];
      await any(all as (() => Promise<unknown>)[])?.();
    },
  };
}

function parentIn({ state }: NotionTestWorld["simulator"]["world"], id: string): string | null {
  const thing = state.pages[id] ?? state.blocks[id] ?? state.databases[id];
  if (thing) return thing.parent.type === "workspace" ? null : thing.parent.id;
  return state.dataSources[id]?.databaseId ?? null;
}
