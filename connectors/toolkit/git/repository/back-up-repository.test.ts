import { expect, test } from "vitest";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { emptyPack } from "../object-format.ts";
import { blob, forge } from "../test-packs.ts";
import { type GitState, gitServerOf } from "../test-remote.ts";
import { backUpRepository, type RepositoryBackup } from "./back-up-repository.ts";
import { findChain, type GitChain } from "./git-chain.ts";
import { commitPack, PLATFORM, pointerText, repositoryVersion } from "./test-versions.ts";

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
const three = commitPack("three", [two.oid]);
const PART = 64 * 1024 ** 2;

const stateOf = (refs: Record<string, string>, packs: GitState["packs"], more: Partial<GitState> = {}) => ({
  head: { target: "refs/heads/main", oid: refs["refs/heads/main"] ?? null },
  refs: Object.entries(refs).map(([name, oid]) => ({ name, oid })),
  packs,
  ...more,
});

async function backUp(
  server: ReturnType<typeof gitServerOf>,
  previous: MemorySnapshot | null = null,
  more: Partial<RepositoryBackup> = {},
) {
  const events: BackupEvent[] = [];
  async function* seen() {
    const order = { platform: PLATFORM, remote: server.remote, prefix: "git/", previous, cursor: null };
    for await (const event of backUpRepository({ ...order, sizeHintBytes: null, ...more })) {
      events.push(event);
      yield event;
    }
  }
  const snapshot = await takeSnapshot(seen(), previous);
  const chain = (await findChain(snapshot, "git/")) as GitChain;
  return { snapshot, chain, events, commands: server.asked.map(({ command }) => command) };
}

test("a first backup keeps the refs, the head and one pack with everything", async () => {
  const refs = { "refs/heads/main": one.oid, "refs/own/x": two.oid, "refs/pull/1/merge": three.oid };
  const server = gitServerOf(stateOf(refs, [one.pack]));
  const { snapshot, chain, events, commands } = await backUp(server);
  expect(commands).toEqual(["capabilities", "ls-refs", "fetch"]);
  expect(server.asked[2]).toMatchObject({ wants: [one.oid], haves: [] });
  expect(await snapshot.readRecord("git/refs.json")).toEqual({
    objectFormat: "sha1",
    head: { target: "refs/heads/main", oid: one.oid },
    refs: [{ name: "refs/heads/main", oid: one.oid }],
  });
  const path = "git/packs/0001-0001.pack";
  expect(chain).toEqual({
    generation: 1,
    objectFormat: "sha1",
    packs: [{ path, hash: one.hash, objects: 3, bytes: one.pack.length, tips: [one.oid], base: true }],
    coveredTips: [],
  });
  expect(Buffer.from(snapshot.entries.get(path)!.bytes).equals(one.pack)).toBe(true);
  expect(snapshot.reported).toEqual({ "git-ref": 1 });
  expect(snapshot.entries.get("git/refs.json")?.info).toMatchObject({ kind: "git-refs", title: "1 refs" });
  expect(snapshot.entries.get(path)?.info).toMatchObject({ kind: "git-pack", title: "Git pack 1" });
  const listing = { phase: "Listing branches and tags", total: null, unit: "refs" };
  expect(events.filter(({ type }) => type === "progress")).toEqual([
    { type: "progress", progress: { ...listing, done: 0 } },
    { type: "progress", progress: { ...listing, done: 3 } },
  ]);
  expect(snapshot.checkpoints).toEqual([]);
});

test("an increment is fetched with the known tips and extends the chain; nothing new fetches nothing", async () => {
  const first = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])));
  const server = gitServerOf(stateOf({ "refs/heads/main": two.oid, "refs/tags/a": one.oid }, [two.pack]));
  const second = await backUp(server, first.snapshot);
  expect(second.commands).toEqual(["ls-refs", "fetch"]);
  expect(server.asked[1]).toMatchObject({ wants: [two.oid], haves: [one.oid] });
  expect(second.chain.packs).toMatchObject([
    { path: "git/packs/0001-0001.pack", base: true },
    { path: "git/packs/0001-0002.pack", base: false, tips: [two.oid] },
  ]);
  const same = gitServerOf(stateOf({ "refs/heads/main": two.oid, "refs/tags/a": one.oid }, []));
  const third = await backUp(same, second.snapshot);
  expect(third.commands).toEqual(["ls-refs"]);
  expect(third.chain).toEqual(second.chain);
  expect(third.snapshot.newStreams).toEqual([]);
});

test("a commit that only a detached head leads to is fetched", async () => {
  const state = stateOf({ "refs/heads/main": one.oid }, [two.pack]);
  const server = gitServerOf({ ...state, head: { target: null, oid: two.oid } });
  const { chain } = await backUp(server);
  expect(server.asked[2]?.wants).toEqual([one.oid, two.oid]);
  expect(chain.packs[0]?.tips).toEqual([one.oid, two.oid]);
});

test("a fetch that brings nothing new is remembered instead of kept", async () => {
  const first = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])));
  const refs = { "refs/heads/main": one.oid, "refs/heads/old": two.oid };
  const second = await backUp(gitServerOf(stateOf(refs, [emptyPack("sha1")])), first.snapshot);
  expect(second.chain.packs).toHaveLength(1);
  expect(second.chain.coveredTips).toEqual([two.oid]);
  expect((await backUp(gitServerOf(stateOf(refs, [])), second.snapshot)).commands).toEqual(["ls-refs"]);
});

test("names that git refuses or that are no UTF-8 are told with their place and reason", async () => {
  const refs = { "refs/heads/main": one.oid, "refs/heads/a..b": one.oid };
  const server = gitServerOf(stateOf(refs, [one.pack]));
  const { snapshot } = await backUp(server);
  expect(snapshot.skipped).toEqual([
    {
      type: "skipped",
      path: "git/refs/heads/a..b",
      kind: "git-ref",
      reason: "Git refuses this name: it holds '..' or '@{'.",
    },
  ]);
  expect(snapshot.reported).toEqual({ "git-ref": 2 });
  const odd = gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack]));
  const latin1 = { ...odd.remote, fetch: withByte(odd.remote.fetch) };
  const { snapshot: respelt } = await backUp({ ...odd, remote: latin1 });
  expect(respelt.skipped).toEqual([
    {
      type: "skipped",
      path: "git/refs/heads/%FFain",
      kind: "git-ref",
      reason:
        "The bytes of its name are no UTF-8. What it points to is kept, under the name 'refs/heads/%FFain'.",
    },
  ]);
});

/** Replaces the first letter of the branch in a listing by a byte that is no UTF-8. */
function withByte(fetch: ReturnType<typeof gitServerOf>["remote"]["fetch"]): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const body = Buffer.from(await response.arrayBuffer());
    const at = body.indexOf(" refs/heads/main\n") + " refs/heads/".length;
    if (body.includes(" refs/heads/main\n")) body[at] = 0xff;
    return new Response(body, response);
  };
}

test("a server whose own history is cut off is told commit by commit", async () => {
  const server = gitServerOf(stateOf({ "refs/heads/main": two.oid }, [two.pack], { shallow: [two.oid] }));
  const { snapshot } = await backUp(server);
  expect(snapshot.skipped).toEqual([
    {
      type: "skipped",
      path: `git/shallow/${two.oid}`,
      kind: "git-history",
      reason: `Forge's own copy is cut off at commit ${two.oid}.`,
    },
  ]);
});

test("refs that move between the listing and the fetch are listed again, three times at most", async () => {
  const state = stateOf({ "refs/heads/main": one.oid }, [] as GitState["packs"]);
  const server = gitServerOf(state);
  const moving = {
    ...server.remote,
    fetch: async (url: string, init?: RequestInit) => {
      const response = await server.remote.fetch(url, init);
      if (server.asked.filter(({ command }) => command === "fetch").length === 1) {
        state.refs = [{ name: "refs/heads/main", oid: two.oid }];
        state.head = { target: "refs/heads/main", oid: two.oid };
        state.packs = [two.pack];
      }
      return response;
    },
  };
  const { chain, snapshot } = await backUp({ ...server, remote: moving });
  expect(chain.packs[0]?.tips).toEqual([two.oid]);
  expect(await snapshot.readRecord("git/refs.json")).toMatchObject({ refs: [{ oid: two.oid }] });

  const lost = gitServerOf(stateOf({ "refs/heads/main": one.oid }, []));
  const error = await backUp(lost).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ kind: "unsupported" });
  expect((error as Error).message).toMatch(
    /^At Forge 'refs\/heads\/main' points to an object that is not there, so git gives nothing of this repository\. The git server reports: /,
  );
  expect(lost.asked.filter(({ command }) => command === "fetch")).toHaveLength(3);
});

test("an object lost at the server is named by the ref or the head that points to it, if it says which", async () => {
  const headless = stateOf({ "refs/own/x": one.oid }, []);
  const error = await backUp(gitServerOf({ ...headless, head: { target: null, oid: one.oid } })).catch(
    (cause: Error) => cause.message,
  );
  expect(error).toMatch(/^At Forge 'refs\/own\/x' points/);
  const detached = { ...stateOf({}, []), head: { target: null, oid: two.oid } };
  const named = await backUp(gitServerOf(detached)).catch((cause: Error) => cause.message);
  expect(named).toMatch(/^At Forge 'HEAD' points/);
  const vague = gitServerOf(stateOf({ "refs/heads/main": one.oid }, []));
  const hiding = {
    ...vague.remote,
    fetch: async (url: string, init?: RequestInit) => {
      const response = await vague.remote.fetch(url, init);
      const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
      const isRefusal = text.includes("not our ref");
      return new Response(isRefusal ? "001cERR no such ref, sorry!\n0000" : text, response);
    },
  };
  const unnamed = await backUp({ ...vague, remote: hiding }).catch((cause: Error) => cause.message);
  expect(unnamed).toBe("The git server reports: no such ref, sorry!");
});

test("after the refs moved back to what is stored, nothing is left to fetch", async () => {
  const first = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])));
  const state = stateOf({ "refs/heads/main": two.oid }, [] as GitState["packs"]);
  const server = gitServerOf(state);
  const moving = {
    ...server.remote,
    fetch: async (url: string, init?: RequestInit) => {
      const response = await server.remote.fetch(url, init);
      state.refs =
        server.asked.at(-1)?.command === "fetch" ? [{ name: "refs/heads/main", oid: one.oid }] : state.refs;
      if (server.asked.at(-1)?.command === "fetch") state.head = { target: "refs/heads/main", oid: one.oid };
      return response;
    },
  };
  const { chain, snapshot } = await backUp({ ...server, remote: moving }, first.snapshot);
  expect(chain.packs).toHaveLength(1);
  expect(snapshot.newStreams).toEqual([]);
});

test("a listing without refs or without a head is repeated in full, since only that reports an unborn branch", async () => {
  const first = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])));
  const emptied = gitServerOf({ head: { target: "refs/heads/main", oid: null }, refs: [], packs: [] });
  const { snapshot, commands } = await backUp(emptied, first.snapshot);
  expect(commands).toEqual(["ls-refs", "capabilities", "ls-refs"]);
  expect(await snapshot.readRecord("git/refs.json")).toMatchObject({ head: { oid: null }, refs: [] });
  const headless = gitServerOf({
    ...stateOf({ "refs/tags/a": one.oid }, []),
    head: { target: null, oid: null },
  });
  expect((await backUp(headless, first.snapshot)).commands).toHaveLength(3);
});

test("a repository that changed its object format starts a new chain", async () => {
  const first = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])));
  const empty = { head: { target: "refs/heads/main", oid: null }, refs: [], packs: [] };
  const changed = gitServerOf({ ...empty, objectFormat: "sha256" });
  const { chain } = await backUp(changed, first.snapshot);
  expect(chain).toEqual({ generation: 2, objectFormat: "sha256", packs: [], coveredTips: [] });
});

test("a chain with too many increments starts over with a full fetch", async () => {
  const packs = [one, ...Array.from({ length: 30 }, () => two)].map(({ pack, oid }, at) => ({
    pack,
    tips: [oid],
    base: at === 0,
  }));
  const refs = [{ name: "refs/heads/main", oid: two.oid }];
  const previous = await repositoryVersion(packs, refs);
  const server = gitServerOf(stateOf({ "refs/heads/main": three.oid }, [three.pack]));
  const { chain } = await backUp(server, previous);
  expect(chain).toMatchObject({ generation: 2, packs: [{ path: "git/packs/0002-0001.pack", base: true }] });
  expect(server.asked.at(-1)).toMatchObject({ command: "fetch", haves: [] });
  // Without anything new the long chain is good enough.
  const same = await backUp(gitServerOf(stateOf({ "refs/heads/main": two.oid }, [])), previous);
  expect(same.chain.packs).toHaveLength(31);
});

test("a large repository is fetched in parts: tags in the order of their versions first, then the rest", async () => {
  const tagged = ["v10", "v9", "v2", "v1"].map((name) => ({ name, ...commitPack(name) }));
  const refs = Object.fromEntries([
    ["refs/heads/main", three.oid],
    ...tagged.map(({ name, oid }) => [`refs/tags/${name}`, oid]),
    ["refs/tags/v9-again", tagged[1]!.oid],
  ]);
  const asked: string[][] = [];
  const pack = (wants: readonly string[]) => {
    asked.push([...wants]);
    return forge([blob(`part ${asked.length}`)]);
  };
  const server = gitServerOf(stateOf(refs, [pack, pack, pack, pack]));
  const { chain, snapshot } = await backUp(server, null, { sizeHintBytes: 2 * PART + 1 });
  const nameOf = (oid: string) => tagged.find((each) => each.oid === oid)?.name ?? "main";
  expect(asked.map((wants) => wants.map(nameOf))).toEqual([["v1", "v2"], ["v9", "v10"], ["main"]]);
  expect(chain.packs.map(({ base }) => base)).toEqual([true, true, true]);
  expect(snapshot.checkpoints).toHaveLength(3);
  expect(snapshot.checkpoints[0]).toMatchObject({ packs: [{ path: "git/packs/0001-0001.pack" }] });
  expect((snapshot.checkpoints[0] as { packs: Json[] }).packs).toHaveLength(1);
  expect(server.asked.filter(({ command }) => command === "fetch").map(({ haves }) => haves.length)).toEqual([
    0, 2, 4,
  ]);

  // A continuation takes the parts that are left.
  asked.length = 0;
  const rest = gitServerOf(stateOf(refs, [pack, pack, pack]));
  const resumed = await backUp(rest, null, {
    sizeHintBytes: 2 * PART + 1,
    cursor: snapshot.checkpoints[0]!,
  }).catch((cause: unknown) => cause);
  expect(asked.map((wants) => wants.map(nameOf))).toEqual([["v9", "v10"], ["main"]]);
  expect(resumed).not.toBeInstanceOf(Error);
});

test("a history without tags is cut where the server says, and fetched at once from a server that refuses it", async () => {
  const commits = ["a", "b", "c", "d"].map((name) => commitPack(name).oid);
  const refs = { "refs/heads/main": one.oid };
  const asked: string[][] = [];
  const pack = (wants: readonly string[]) => {
    asked.push([...wants]);
    return forge([blob(`part ${asked.length}`)]);
  };
  // 40 commits behind each other, of which four have names here.
  const commitsAt = (depth: number) => (depth > 40 ? [] : [commits[Math.floor((depth - 1) / 10)]!]);
  const state = () => ({ ...stateOf(refs, [pack, pack, pack, pack]), commitsAt });
  const { chain, snapshot } = await backUp(gitServerOf(state()), null, { sizeHintBytes: 3 * PART + 1 });
  expect(asked).toHaveLength(4);
  expect(asked.at(-1)).toEqual([one.oid]);
  // The oldest part comes first.
  expect(asked.slice(0, 3).map(([oid]) => commits.indexOf(oid!))).toEqual([3, 2, 1]);
  expect(chain.packs.map(({ tips }) => tips)).toEqual(asked);
  expect(snapshot.checkpoints).toHaveLength(4);
  const cut = asked.splice(0);
  const cursor = snapshot.checkpoints[1]!;
  await backUp(gitServerOf(state()), null, { sizeHintBytes: 3 * PART + 1, cursor }).catch(() => undefined);
  expect(asked).toEqual(cut.slice(2));

  const strict = gitServerOf({ ...stateOf(refs, []), commitsAt });
  const refused = backUp(strict, null, { sizeHintBytes: 3 * PART + 1 });
  await expect(refused).rejects.toThrow("not our ref");
  const wanted = strict.asked.filter(({ lines }) => lines.includes("done") && !/deepen/.test(lines.join()));
  // After the refusal of a commit that no ref names, everything is wanted at once.
  expect(wanted.map(({ wants }) => wants)[1]).toEqual([one.oid]);
});

test("a repository up to the limit is fetched at once, and so is one without tags", async () => {
  const refs = { "refs/heads/main": one.oid, "refs/tags/v1": two.oid };
  const limit = await backUp(gitServerOf(stateOf(refs, [two.pack])), null, { sizeHintBytes: 2 * PART });
  expect(limit.chain.packs).toHaveLength(1);
  expect(limit.snapshot.checkpoints).toEqual([]);
  const untagged = await backUp(gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack])), null, {
    sizeHintBytes: 5 * PART,
  });
  expect(untagged.chain.packs).toHaveLength(1);
});

test("a very large repository is fetched in twelve parts, so that its chain does not start over", async () => {
  const tags = Array.from({ length: 40 }, (_, at) => `${at}`.padStart(2, "0")).map((number) => ({
    name: `refs/tags/v${number}`,
    oid: number.repeat(20),
  }));
  const refs = Object.fromEntries([
    ["refs/heads/main", one.oid],
    ...tags.map(({ name, oid }) => [name, oid]),
  ]);
  let packs = 0;
  const pack = () => forge([blob(`part ${packs++}`)]);
  const server = gitServerOf(
    stateOf(
      refs,
      Array.from({ length: 40 }, () => pack),
    ),
  );
  expect((await backUp(server, null, { sizeHintBytes: 200 * PART })).chain.packs.length).toBeLessThanOrEqual(
    12,
  );
});

test("pointers are searched in increments always, in a whole history only if LFS files are likely", async () => {
  const pointer = { oid: "e".repeat(64), sizeBytes: 5 };
  const pack = forge([blob(pointerText(pointer))]);
  const listOf = async (snapshot: MemorySnapshot, path: string) =>
    (await snapshot.find(path)) === null ? null : await snapshot.readRecord(path);
  const serverWith = (oid: string, more: Uint8Array) => {
    const server = gitServerOf(stateOf({ "refs/heads/main": oid }, [more]));
    const lfs = { objects: [{ oid: pointer.oid, error: { code: 404, message: "" } }] };
    const fetch = async (url: string, init?: RequestInit) =>
      url.includes("/info/lfs/") ? Response.json(lfs) : await server.remote.fetch(url, init);
    return { ...server, remote: { ...server.remote, fetch } };
  };
  let asked = 0;
  const likely = (isLikely: boolean) => ({
    lfs: {
      isLikely: async () => {
        asked += 1;
        return isLikely;
      },
    },
  });
  const unlikely = await backUp(serverWith(one.oid, pack), null, likely(false));
  expect(await listOf(unlikely.snapshot, "git/lfs/0001-0001.json")).toBeNull();
  const yes = await backUp(serverWith(one.oid, pack), null, likely(true));
  expect(await listOf(yes.snapshot, "git/lfs/0001-0001.json")).toEqual({ pointers: [pointer] });
  expect(yes.snapshot.skipped).toMatchObject([{ path: `lfs/${pointer.oid}` }]);
  expect(asked).toBe(2);
  const increment = await backUp(serverWith(two.oid, pack), unlikely.snapshot, likely(false));
  expect(await listOf(increment.snapshot, "git/lfs/0001-0002.json")).toEqual({ pointers: [pointer] });
  const without = await backUp(serverWith(two.oid, pack), unlikely.snapshot);
  expect(await listOf(without.snapshot, "git/lfs/0001-0002.json")).toBeNull();
  expect(asked).toBe(2);
});

test("a cursor of another form is refused", async () => {
  const server = gitServerOf(stateOf({ "refs/heads/main": one.oid }, [one.pack]));
  await expect(backUp(server, null, { cursor: { packs: "many" } })).rejects.toThrow(/not of a form/);
});
