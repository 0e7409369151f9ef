import { expect, test } from "vitest";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { gitReceiverOf, type ReceiverRules } from "../test-remote.ts";
import { findChain, readRefs } from "./git-chain.ts";
import { type RepositoryPush, reportRefs, restoreGit, wantedRefs } from "./push-repository.ts";
import { commitPack, PLATFORM, repositoryVersion } from "./test-versions.ts";

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
const ZERO = "0".repeat(40);
const HELPER = "refs/tags/__holdfast_restore";
const ref = (name: string, oid: string) => ({ name, oid });

const MAIN = ref("refs/heads/main", two.oid);
const PACKS = [
  { pack: one.pack, tips: [one.oid] },
  { pack: two.pack, tips: [two.oid] },
];

/** Pushes a version to a receiver, or once more to the same one. */
async function push(
  refs: { name: string; oid: string }[],
  rules: ReceiverRules = {},
  {
    packs = PACKS,
    receiver = gitReceiverOf(rules),
    journal = memoryJournal(),
    more = {} as Partial<RepositoryPush>,
    headOid = undefined as string | null | undefined,
  } = {},
) {
  const snapshot = await repositoryVersion(packs, refs, headOid === undefined ? {} : { headOid });
  const slept: number[] = [];
  const deps = { snapshot, journal, session: { sleep: async (ms: number) => void slept.push(ms) } };
  const chain = (await findChain(snapshot, "git/"))!;
  const stored = await readRefs(snapshot, "git/");
  const order = { platform: PLATFORM, remote: receiver.remote, prefix: "git/", refs: stored, chain };
  const events: RestoreEvent[] = [];
  const run = restoreGit(deps, { ...order, proposalBranches: false, ...more });
  for (;;) {
    const step = await run.next();
    if (step.done) return { events, branches: [...step.value], receiver, journal, slept };
    events.push(step.value);
  }
}

const told = (events: readonly RestoreEvent[]) =>
  events.filter(({ type }) => type !== "progress" && type !== "compared");

test("packs are pushed one by one below a helper tag, then the refs in batches, and the tag goes with the last", async () => {
  const refs = [
    MAIN,
    ref("refs/heads/b", one.oid),
    ref("refs/tags/v1", one.oid),
    ref("refs/notes/n", one.oid),
  ];
  const { events, branches, receiver, slept } = await push(refs);
  expect(receiver.pushes).toEqual([
    { commands: [`${ZERO} ${one.oid} ${HELPER}`], packBytes: one.pack.length },
    { commands: [`${one.oid} ${two.oid} ${HELPER}`], packBytes: two.pack.length },
    {
      commands: [`${ZERO} ${two.oid} refs/heads/main`, `${ZERO} ${one.oid} refs/heads/b`],
      packBytes: 32,
    },
    {
      commands: [
        `${ZERO} ${one.oid} refs/tags/v1`,
        `${ZERO} ${one.oid} refs/notes/n`,
        `${two.oid} ${ZERO} ${HELPER}`,
      ],
      packBytes: 32,
    },
  ]);
  expect(Object.fromEntries(receiver.refs)).toEqual(
    Object.fromEntries(refs.map(({ name, oid }) => [name, oid])),
  );
  expect(told(events)).toEqual([
    { type: "restored", kind: "branch", count: 2 },
    { type: "restored", kind: "tag", count: 1 },
    { type: "restored", kind: "note", count: 1 },
  ]);
  expect(branches).toEqual(["main", "b"]);
  // Three pushes are unhurried, the fourth waits.
  expect(slept).toEqual([7]);
  const steps = events.flatMap((event) => (event.type === "progress" ? [event.progress] : []));
  const packs = { phase: "Sending git packs", total: 2, unit: "items" };
  const made = { phase: "Creating branches and tags", total: 4, unit: "refs" };
  expect(steps.filter(({ phase }) => phase !== "Sending objects")).toEqual([
    { ...packs, done: 0 },
    { ...packs, done: 1 },
    { ...made, done: 0 },
    { ...made, done: 2 },
  ]);
  expect(steps).toContainEqual({
    phase: "Sending objects",
    done: one.pack.length,
    total: one.pack.length,
    unit: "bytes",
  });
});

test("a part that is larger than the platform takes is reported before a byte is sent", async () => {
  const most = (mostBytes: number) => ({
    more: { platform: { ...PLATFORM, push: { ...PLATFORM.push, mostBytes } } },
  });
  const largest = Math.max(one.pack.length, two.pack.length);
  const { events, receiver, branches } = await push([MAIN], {}, most(largest - 1));
  expect(told(events)).toEqual([
    {
      type: "missing",
      what: "Branches, tags and their history",
      reason: expect.stringContaining("Forge takes at most"),
    },
  ]);
  expect([receiver.pushes, receiver.listings(), branches]).toEqual([[], 0, []]);
  expect((await push([MAIN], {}, most(largest))).branches).toEqual(["main"]);
});

test("a repository without refs is not pushed", async () => {
  const { events, receiver } = await push([], {}, { packs: [] });
  expect([events, receiver.pushes, receiver.listings()]).toEqual([[], [], 0]);
});

test("a second attempt pushes no pack that has arrived, and only the refs that are missing", async () => {
  const journal = memoryJournal();
  const receiver = gitReceiverOf();
  const refs = [MAIN, ref("refs/heads/b", one.oid)];
  await push(refs, {}, { receiver, journal });
  expect([...journal.entries.keys()]).toEqual([`git/pack:${one.hash}`, `git/pack:${two.hash}`]);
  receiver.refs.delete("refs/heads/b");
  receiver.pushes.length = 0;
  const { events } = await push(refs, {}, { receiver, journal });
  expect(receiver.pushes).toEqual([{ commands: [`${ZERO} ${one.oid} refs/heads/b`], packBytes: 32 }]);
  expect(told(events)).toEqual([{ type: "restored", kind: "branch", count: 2 }]);
});

test("a helper tag at a pack's tip means that an earlier attempt sent the pack", async () => {
  const receiver = gitReceiverOf({ refs: { [HELPER]: one.oid } });
  await push([MAIN], {}, { receiver });
  expect(receiver.pushes.map(({ commands }) => commands[0])).toEqual([
    `${one.oid} ${two.oid} ${HELPER}`,
    `${ZERO} ${two.oid} refs/heads/main`,
  ]);
  expect([...receiver.refs.keys()]).toEqual(["refs/heads/main"]);
});

test("a helper tag never takes a name that the version has", async () => {
  const { receiver } = await push([MAIN, ref(HELPER, one.oid), ref(`${HELPER}_`, one.oid)]);
  expect(receiver.pushes[0]?.commands).toEqual([`${ZERO} ${one.oid} ${HELPER}__`]);
  expect([...receiver.refs.keys()].sort()).toEqual(["refs/heads/main", HELPER, `${HELPER}_`].sort());
});

test("a helper tag that cannot be removed is told", async () => {
  const receiver = gitReceiverOf({
    refuse: (name, hasPack) => (name === HELPER && !hasPack ? "kept" : null),
  });
  const { events } = await push([MAIN], {}, { receiver });
  expect(told(events)).toEqual([
    { type: "changed", what: `A helper tag ${HELPER} is left over`, reason: "kept" },
    { type: "restored", kind: "branch", count: 1 },
  ]);
  expect(receiver.pushes.at(-1)?.commands).toEqual([`${two.oid} ${ZERO} ${HELPER}`]);
});

test("a pack whose helper tag is refused is pushed with its own refs until one of them is taken", async () => {
  const refs = ["1", "2", "3", "4", "5"].map((name) => ref(`refs/heads/${name}`, one.oid));
  const rules = {
    refuse: (name: string, hasPack: boolean) => (hasPack && !/[45]$/.test(name) ? `no ${name}` : null),
  };
  const { receiver, events, journal } = await push(refs, rules, { packs: [PACKS[0]!] });
  const names = receiver.pushes.map(({ commands, packBytes }) =>
    [...commands.map((command) => command.split("/").at(-1)), packBytes > 32 ? "with pack" : "alone"].join(
      " ",
    ),
  );
  expect(names).toEqual([
    "__holdfast_restore with pack",
    "1 2 with pack",
    "3 4 with pack",
    "1 2 alone",
    "3 5 alone",
  ]);
  expect(journal.entries.size).toBe(1);
  expect(told(events)).toEqual([{ type: "restored", kind: "branch", count: 5 }]);
});

test("a ref of a refused pack that exists already means that the pack has arrived", async () => {
  const rules = {
    refs: { "refs/heads/main": two.oid },
    refuse: (name: string) => (name === HELPER ? "no" : null),
  };
  const { receiver, journal } = await push([MAIN, ref("refs/heads/b", two.oid)], rules, {
    packs: [PACKS[1]!],
  });
  expect(receiver.pushes.map(({ packBytes }) => packBytes > 32)).toEqual([true, false]);
  expect(journal.entries.size).toBe(1);
});

test("a pack that no ref can carry is told with the first refusal and tried again by a later attempt", async () => {
  const rules = { refuse: (_: string, hasPack: boolean) => (hasPack ? "GH013: secrets" : null) };
  const hidden = await push([MAIN], rules);
  expect(told(hidden.events).filter(({ type }) => type === "missing")).toEqual([
    { type: "missing", what: "Objects of a git pack (3)", reason: "GH013: secrets" },
  ]);
  expect(hidden.journal.entries.size).toBe(0);
});

test("the first refusal of a ref is the one that is told, and the receiver's own list decides", async () => {
  let turn = 0;
  const rules = {
    refuse: (name: string, hasPack: boolean) => {
      if (name === HELPER) return hasPack ? "no helper" : null;
      turn += 1;
      return name === "refs/heads/b" ? null : `refusal ${turn}: protected branch`;
    },
    lies: (name: string) => name === "refs/heads/c",
  };
  const refs = ["a", "c", "b"].map((name) => ref(`refs/heads/${name}`, one.oid));
  const { events, branches } = await push(refs, rules, { packs: [PACKS[0]!] });
  expect(told(events)).toEqual([
    { type: "restored", kind: "branch", count: 2 },
    {
      type: "missing",
      what: "a",
      reason: "Lift the protection. Forge said: refusal 1: protected branch",
    },
  ]);
  expect(branches).toEqual(["c", "b"]);
  // Read back, not as the receiver answered: it accepted `b` only, and has `c` as well.
  expect(events.filter(({ type }) => type === "compared")).toEqual([
    { type: "compared", what: "branches and tags have the same commits", same: 2, all: 3 },
  ]);
});

test("a ref that was reported as taken but is not there is told", async () => {
  const receiver = gitReceiverOf();
  const forgetful = {
    ...receiver,
    remote: {
      ...receiver.remote,
      fetch: async (url: string, init?: RequestInit) => {
        if (init?.body === undefined) receiver.refs.delete("refs/tags/v1");
        return await receiver.remote.fetch(url, init);
      },
    },
  };
  const { events } = await push([MAIN, ref("refs/tags/v1", one.oid)], {}, { receiver: forgetful });
  expect(told(events)).toEqual([
    { type: "restored", kind: "branch", count: 1 },
    { type: "missing", what: "v1", reason: "Forge said: It is not there." },
  ]);
});

test("a failed push fails the restore with the error of the server", async () => {
  const receiver = gitReceiverOf();
  const fetch = async (url: string, init?: RequestInit) =>
    init?.body === undefined ? await receiver.remote.fetch(url, init) : new Response("down", { status: 503 });
  const broken = { ...receiver, remote: { ...receiver.remote, fetch } };
  await expect(push([MAIN], {}, { receiver: broken })).rejects.toMatchObject({
    kind: "unavailable",
    status: 503,
  });
});

const ALL = [
  ref("refs/heads/a", one.oid),
  ref("refs/heads/main", two.oid),
  ref("refs/heads/pr/2", two.oid),
  ref("refs/notes/commits", one.oid),
  ref("refs/pull/1/head", one.oid),
  ref("refs/pull/2/head", one.oid),
  ref("refs/stash", one.oid),
  ref("refs/tags/v1", one.oid),
];
const orderOf = (more: Partial<Parameters<typeof wantedRefs>[0]> = {}) => ({
  platform: PLATFORM,
  proposalBranches: false,
  refs: { objectFormat: "sha1" as const, head: { target: "refs/heads/main", oid: two.oid }, refs: ALL },
  ...more,
});

test("the default branch comes first, and heads of proposed changes become branches on request", () => {
  const kinds = (order: Parameters<typeof wantedRefs>[0]) =>
    wantedRefs(order).map(({ ref: name, kind }) => `${kind} ${name}`);
  const rest = [
    "branch refs/heads/main",
    "branch refs/heads/a",
    "branch refs/heads/pr/2",
    "note refs/notes/commits",
  ];
  expect(kinds(orderOf())).toEqual([...rest, "other-ref refs/stash", "tag refs/tags/v1"]);
  expect(kinds(orderOf({ proposalBranches: true }))).toEqual([
    ...rest,
    "pull-request-branch refs/heads/pr/1",
    "pull-request-branch refs/heads/pr/2-head",
    "other-ref refs/stash",
    "tag refs/tags/v1",
  ]);
  const plain = orderOf({ platform: { ...PLATFORM, proposals: null }, proposalBranches: true });
  expect(kinds(plain).filter((kind) => kind.includes("pull"))).toEqual([
    "other-ref refs/pull/1/head",
    "other-ref refs/pull/2/head",
  ]);
});

test("branches of proposed changes count among the restored kinds and branches", async () => {
  const refs = [MAIN, ref("refs/pull/1/head", one.oid)];
  const { events, branches } = await push(refs, {}, { more: { proposalBranches: true } });
  expect(told(events)).toEqual([
    { type: "restored", kind: "branch", count: 1 },
    { type: "restored", kind: "pull-request-branch", count: 1 },
    {
      type: "changed",
      what: "1 pull request ref (refs/pull/*/head)",
      reason: "Forge takes no such refs; their commits are in branches named pr/N.",
    },
  ]);
  expect(branches).toEqual(["main", "pr/1"]);
});

test("refs that no push can bring back unchanged are told before any answer", () => {
  expect([...reportRefs(orderOf())]).toEqual([
    {
      type: "impossible",
      what: "2 pull request refs (refs/pull/*/head)",
      reason:
        "Forge takes no pushes to pull request refs. Restore again with 'pull requests as branches' to bring their commits back as pr/N.",
    },
  ]);
  expect([...reportRefs(orderOf({ platform: { ...PLATFORM, proposals: null } }))]).toEqual([]);
  const headed = (head: { target: string | null; oid: string | null }) => [
    ...reportRefs(orderOf({ refs: { objectFormat: "sha1", head, refs: [] } })),
  ];
  const changed = (stood: string) => [
    {
      type: "changed",
      what: "HEAD",
      reason: `The HEAD of the original stood ${stood}; Forge knows a default branch only. A commit that nothing else leads to is in the ZIP.`,
    },
  ];
  expect(headed({ target: null, oid: one.oid })).toEqual(changed(`at the commit ${one.oid}`));
  expect(headed({ target: "refs/tags/v1", oid: one.oid })).toEqual(changed("at refs/tags/v1"));
  expect(headed({ target: "refs/heads/x", oid: one.oid })).toEqual([]);
  expect(headed({ target: "refs/heads/x", oid: null })).toEqual([]);
  expect(headed({ target: null, oid: null })).toEqual([]);
});
