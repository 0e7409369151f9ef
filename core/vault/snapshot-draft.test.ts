import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { randomBytes, sha256Hex, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { isDeep } from "#tests/harness/sample.ts";
import {
  beginDraft,
  openSnapshot,
  type SnapshotDraft,
  type VaultDeps,
  VaultError,
  type VerifyCursor,
  verifySnapshot,
  writeObject,
} from "./index.ts";
import { compareUtf8 } from "./paths.ts";
import type { DraftCursor, ListedManifest, ManifestRef } from "./types.ts";

const scope = { organisationId: "org_a", itemId: "itm_a" };
const facts = { apiVersion: "2026-01-01", account: "octo" };
const companions = { find: async () => null };

function setUp() {
  const bucket = memoryBucket();
  const registry = memoryRegistry();
  return {
    bucket,
    registry,
    organisationKey: { version: 1, bytes: randomBytes(32) },
    ids: randomIds,
  };
}

const begin = (deps: VaultDeps, previous: ManifestRef | null = null, resume: DraftCursor | null = null) =>
  beginDraft(deps, { scope, runId: "run_a", previous, resume });

const bytesOf = (text: string) => async (sink: { write(chunk: Uint8Array): Promise<void> | void }) => {
  for (const char of text) await sink.write(utf8(char));
};

async function contentOf(deps: VaultDeps, manifest: ManifestRef): Promise<Map<string, string>> {
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  const content = new Map<string, string>();
  for await (const { path } of snapshot.list()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of snapshot.read(path)) chunks.push(chunk.slice());
    content.set(path, Buffer.concat(chunks).toString());
  }
  return content;
}

async function takeAll(deps: VaultDeps, count: number, previous: ManifestRef | null, changed: Set<number>) {
  const draft = await begin(deps, previous);
  for (let i = 0; i < count; i++) {
    const value = { number: i, title: `Issue ${i}`, body: changed.has(i) ? "changed" : `text of ${i}` };
    await draft.addRecord({ path: `issues/${i}.json`, kind: "issue", title: value.title, value });
  }
  return draft.finish(facts);
}

test("a snapshot of records and streams reads back entry by entry", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addRecord({
    path: "b/../é.json",
    kind: "issue",
    title: "One",
    value: { b: 1, a: [null, "ü"] },
  });
  await draft.addStream({ path: "a.bin", kind: "attachment", parent: "b/../é.json" }, bytesOf("hello"));
  await draft.addStream({ path: "empty", kind: "attachment", optional: true }, bytesOf(""));
  draft.skipped({ path: "secret", kind: "issue", reason: "no access" });
  draft.reported("issue", 2);
  const result = await draft.finish(facts);
  const snapshot = await openSnapshot(deps, { scope, manifest: result.manifest, companions });
  expect(await snapshot.readRecord("b/../é.json")).toEqual({ a: [null, "ü"], b: 1 });
  expect(await snapshot.find("a.bin")).toEqual({
    path: "a.bin",
    kind: "attachment",
    type: "stream",
    parent: "b/../é.json",
    sizeBytes: 5,
    hash: await sha256Hex("hello"),
  });
  expect(await snapshot.find("empty")).toBeNull();
  expect(snapshot.completeness()).toEqual({
    counts: { issue: 1, attachment: 1 },
    reported: { issue: 2 },
    skipped: [{ path: "secret", kind: "issue", reason: "no access" }],
    skippedCount: 1,
    ...facts,
  });
  expect(result.newBytes).toBe([...deps.registry.stored.values()].reduce((sum, o) => sum + o.storedBytes, 0));
});

test("an unchanged snapshot writes no object; three changed records among many write one", async () => {
  const deps = setUp();
  const first = await takeAll(deps, 20_000, null, new Set());
  const before = deps.bucket.objects.size;
  const second = await takeAll(deps, 20_000, first.manifest, new Set());
  expect(second).toMatchObject({ unchanged: true, newBytes: 0, manifest: first.manifest });
  expect(deps.bucket.objects.size).toBe(before);
  const third = await takeAll(deps, 20_000, second.manifest, new Set([5, 2_000, 14_444]));
  expect(deps.bucket.objects.size).toBe(before + 1);
  expect(third.manifest.id).not.toBe(first.manifest.id);
  expect(third.newBytes).toBeLessThan(first.newBytes / 2);
});

test("the manifest's id depends only on content", async () => {
  const one = await takeAll(setUp(), 1_500, null, new Set([7]));
  const deps = setUp();
  const base = await takeAll(deps, 1_400, null, new Set());
  const draft = await begin(deps, base.manifest);
  draft.keepAll("issues/");
  const value = { number: 7, title: "Issue 7", body: "changed" };
  for (let i = 1_499; i >= 1_400; i--) {
    const late = { number: i, title: `Issue ${i}`, body: `text of ${i}` };
    await draft.addRecord({ path: `issues/${i}.json`, kind: "issue", title: late.title, value: late });
  }
  await draft.addRecord({ path: "issues/7.json", kind: "issue", title: value.title, value });
  expect((await draft.finish(facts)).manifest.id).toBe(one.manifest.id);
});

test("moved or duplicate records cost no bytes", async () => {
  const deps = setUp();
  const value = (i: number) => ({ i, text: "a text long enough to be worth its bytes ".repeat(20) + i });
  const draft = await begin(deps);
  for (let i = 0; i < 200; i++) {
    await draft.addRecord({ path: `old/${i}`, kind: "card", value: value(i) });
    await draft.addRecord({ path: `copy/${i}`, kind: "card", value: value(i) });
  }
  const first = await draft.finish(facts);
  const before = await openSnapshot(deps, { scope, manifest: first.manifest, companions });
  expect((await before.locate("copy/7"))?.where).toEqual((await before.locate("old/7"))?.where);
  const moved = await begin(deps, first.manifest);
  for (let i = 0; i < 200; i++) {
    await moved.addRecord({ path: `new/${i}`, kind: "card", value: value(i) });
    await moved.addRecord({ path: `twin/${i}`, kind: "card", value: value(i) });
  }
  const { manifest } = await moved.finish(facts);
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  for (let i = 0; i < 200; i += 50) {
    expect((await snapshot.locate(`new/${i}`))?.where).toEqual((await snapshot.locate(`twin/${i}`))?.where);
    expect((await snapshot.locate(`new/${i}`))?.where.object).toBe(first.manifest.root.object);
    expect(await snapshot.readRecord(`twin/${i}`)).toEqual(value(i));
  }
});

test("a snapshot larger than memory in any order gives the same manifest", {
  timeout: 180_000,
}, async () => {
  // A draft keeps about 16,000 entries in memory before it writes a segment.
  const count = isDeep() ? 115_000 : 60_000;
  const take = async (order: (i: number) => number) => {
    const deps = setUp();
    const draft = await begin(deps);
    for (let i = 0; i < count; i++) {
      const number = order(i);
      await draft.addRecord({ path: `issues/${number}`, kind: "issue", value: { number } });
    }
    const result = await draft.finish(facts);
    const segments = [...deps.registry.stored.values()].filter(({ kind }) => kind === "draft");
    expect(segments.length).toBeGreaterThan(2);
    await draft.discardTemporary();
    expect([...deps.registry.stored.keys()].sort()).toEqual(result.manifest.objects);
    return { deps, manifest: result.manifest };
  };
  const forward = await take((i) => i);
  const shuffled = await take((i) => (i * 7_919) % count);
  expect(shuffled.manifest.id).toBe(forward.manifest.id);
  expect(forward.manifest.entryCount).toBe(count);
  const { deps, manifest } = shuffled;
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  expect(await snapshot.readRecord(`issues/${count - 1}`)).toEqual({ number: count - 1 });
  let last = "";
  let seen = 0;
  const unsorted: string[] = [];
  for await (const { path } of snapshot.list("issues/1")) {
    if (compareUtf8(last, path) >= 0) unsorted.push(path);
    last = path;
    seen++;
  }
  expect(unsorted).toEqual([]);
  expect(seen).toBe(
    Array.from({ length: count }, (_, i) => `${i}`).filter((text) => text.startsWith("1")).length,
  );
});

test("a resumed draft refuses another previous snapshot, and an ended one refuses everything", async () => {
  const deps = setUp();
  const first = await takeAll(deps, 3, null, new Set());
  const draft = await begin(deps);
  const cursor = await draft.checkpoint();
  await expect(begin(deps, first.manifest, cursor)).rejects.toThrow("previous snapshot");
  draft.abandon();
  const finished = await begin(deps, first.manifest);
  finished.keepAll("");
  await finished.finish(facts);
  for (const ended of [draft, finished]) {
    expect(() => ended.keepAll("")).toThrow("already ended");
    expect(() => ended.reported("issue", 1)).toThrow("already ended");
    expect(() => ended.skipped({ path: "a", kind: "k", reason: "r" })).toThrow("already ended");
    const attempts = [
      () => ended.addRecord({ path: "a", kind: "k", value: 1 }),
      () => ended.addStream({ path: "b", kind: "k" }, bytesOf("b")),
      () => ended.keep("issues/1.json"),
      () => ended.drop("issues/1.json"),
      () => ended.checkpoint(),
      () => ended.finish(facts),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow("already ended");
  }
});

test("an empty path, one with NUL or one beyond 1,024 bytes is refused; any other is accepted", async () => {
  const draft = await begin(setUp());
  const add = (name: string) => draft.addRecord({ path: name, kind: "k", value: 1 });
  for (const bad of ["", "a\0b", "ü".repeat(513), "\ud800"])
    await expect(add(bad)).rejects.toThrow("not allowed");
  for (const good of ["../..", "ü".repeat(512), "a\nb", "\u202e"]) await add(good);
  expect((await draft.finish(facts)).manifest.entryCount).toBe(4);
});

type Step =
  | { do: "record"; path: string; value: Json }
  | { do: "stream"; path: string; text: string }
  | { do: "keep-all"; prefix: string }
  | { do: "drop"; path: string }
  | { do: "keep"; path: string }
  | { do: "checkpoint" | "crash" | "mark" | "roll-back" };

const path = fc.constantFrom("a", "a/1", "a/2", "b", "b/x", "b/y/z", "ü", "\u{1f600}", "\ufffd", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("record" as const), path, value: fc.nat(3) }),
  fc.record({ do: fc.constant("stream" as const), path, text: fc.constantFrom("x", "yy", "") }),
  fc.record({ do: fc.constant("keep-all" as const), prefix: fc.constantFrom("", "a", "b/", "a/1") }),
  fc.record({ do: fc.constant("drop" as const), path }),
  fc.record({ do: fc.constant("keep" as const), path }),
  fc.record({
    do: fc.constantFrom("checkpoint" as const, "crash" as const, "mark" as const, "roll-back" as const),
  }),
);

/** Applies the steps to a plain map. A crash returns to the last checkpoint, a roll-back to a mark set since then. */
function model(previous: Map<string, string>, steps: Step[]): Map<string, string> {
  let now = new Map<string, string>();
  let saved = new Map(now);
  let marked: Map<string, string> | null = null;
  for (const each of steps) {
    if (each.do === "record") now.set(each.path, canonicalJson(each.value));
    if (each.do === "stream") now.set(each.path, each.text);
    if (each.do === "drop") now.delete(each.path);
    if (each.do === "keep" && previous.has(each.path)) now.set(each.path, previous.get(each.path)!);
    if (each.do === "keep-all") {
      for (const [key, value] of previous) if (key.startsWith(each.prefix)) now.set(key, value);
    }
    if (each.do === "mark") marked = new Map(now);
    if (each.do === "roll-back" && marked) now = new Map(marked);
    if (each.do === "checkpoint") saved = new Map(now);
    if (each.do === "crash") now = new Map(saved);
    if (each.do === "checkpoint" || each.do === "crash") marked = null;
  }
  return new Map([...now].sort(([a], [b]) => compareUtf8(a, b)));
}

async function play(
  deps: VaultDeps,
  previous: ManifestRef | null,
  known: Map<string, string>,
  steps: Step[],
) {
  let cursor: DraftCursor | null = null;
  let draft: SnapshotDraft = await begin(deps, previous);
  for (const each of steps) {
    if (each.do === "record") await draft.addRecord({ path: each.path, kind: "k", value: each.value });
    if (each.do === "stream") await draft.addStream({ path: each.path, kind: "s" }, bytesOf(each.text));
    if (each.do === "drop") await draft.drop(each.path);
    if (each.do === "keep-all") draft.keepAll(each.prefix);
    if (each.do === "keep") {
      if (known.has(each.path)) await draft.keep(each.path);
      else await expect(draft.keep(each.path)).rejects.toMatchObject({ kind: "missing" });
    }
    if (each.do === "mark") draft.mark();
    if (each.do === "roll-back") draft.rollBack();
    if (each.do === "checkpoint")
      cursor = JSON.parse(JSON.stringify(await draft.checkpoint())) as DraftCursor;
    if (each.do === "crash") draft = await begin(deps, previous, cursor);
  }
  return draft.finish(facts);
}

test("any sequence of events, checkpoints and crashes gives the content of a plain map", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.array(step, { maxLength: 14 }),
      async (one, two) => {
        const deps = setUp();
        const first = await play(deps, null, new Map(), one);
        const expected = model(new Map(), one);
        expect([...(await contentOf(deps, first.manifest))]).toEqual([...expected]);
        const second = await play(deps, first.manifest, expected, two);
        const after = model(expected, two);
        expect([...(await contentOf(deps, second.manifest))]).toEqual([...after]);
        expect(second.manifest.objects.every((id) => deps.registry.stored.has(id))).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test("a stream that the item already has is stored once, and verifying reads all of it", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a", kind: "s" }, bytesOf("same"));
  await draft.addStream({ path: "b", kind: "s" }, bytesOf("same"));
  const mismatch = draft.addStream({ path: "c", kind: "s", expectedHash: "00" }, bytesOf("other"));
  await expect(mismatch).rejects.toMatchObject({ kind: "mismatch" });
  const { manifest, newBytes } = await draft.finish(facts);
  expect([...deps.registry.stored.values()].filter(({ kind }) => kind === "stream")).toHaveLength(1);
  // It counts once among the new bytes, and it does count.
  const stored = [...deps.registry.stored.values()].map(({ storedBytes }) => storedBytes);
  expect(newBytes).toBe(stored.reduce((sum, bytes) => sum + bytes, 0));
  expect(await problemsOf(deps, manifest)).toEqual([]);
  const stream = [...deps.registry.stored.values()].find(({ kind }) => kind === "stream")!;
  deps.bucket.objects.get(stream.key)![74]! ^= 1;
  expect(await problemsOf(deps, manifest)).toHaveLength(1);
});

async function problemsOf(deps: VaultDeps, manifest: ListedManifest): Promise<string[]> {
  const found: string[] = [];
  for await (const event of verifySnapshot(deps, { scope, manifest, cursor: null })) {
    if (event.type === "problem") found.push(event.path);
  }
  return found;
}

test("the ledger is queried for a companion until it exists, then never again", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a.pack", kind: "s" }, bytesOf("a pack"));
  const { manifest } = await draft.finish(facts);
  const index = await writeObject(deps, { scope, kind: "stream", runId: "run_a" }, utf8("its index"));
  let isThere = false;
  let asked = 0;
  const ledger = {
    find: async () => {
      asked += 1;
      return isThere ? index : null;
    },
  };
  const snapshot = await openSnapshot(deps, { scope, manifest, companions: ledger });
  for (let i = 0; i < 2; i++) expect(await snapshot.findCompanion("a.pack", "idx")).toBeNull();
  isThere = true;
  for (let i = 0; i < 3; i++) {
    expect(await snapshot.findCompanion("a.pack", "idx")).toMatchObject({ id: index.id });
    const chunks: Uint8Array[] = [];
    for await (const chunk of snapshot.readCompanion("a.pack", "idx")) chunks.push(chunk.slice());
    expect(Buffer.concat(chunks).toString()).toBe("its index");
  }
  expect(asked).toBe(3);
});

test("a companion that is not there is missing", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a.pack", kind: "s" }, bytesOf("a pack"));
  const { manifest } = await draft.finish(facts);
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  for (const path of ["a.pack", "b.pack"]) {
    const chunks = snapshot.readCompanion(path, "idx")[Symbol.asyncIterator]();
    await expect(chunks.next()).rejects.toMatchObject({ kind: "missing" });
  }
});

test("a version that differs in nothing but what was skipped needs the pack of its own root, too", async () => {
  const deps = setUp();
  const first = await takeAll(deps, 3, null, new Set());
  const draft = await begin(deps, first.manifest);
  draft.keepAll("");
  draft.skipped({ path: "secret", kind: "issue", reason: "no access" });
  const { manifest, unchanged } = await draft.finish(facts);
  expect(unchanged).toBe(false);
  expect(manifest.root.object).not.toBe(first.manifest.root.object);
  expect(manifest.objects).toEqual([first.manifest.root.object, manifest.root.object].sort());
});

test("a check tells of an entry whose object the version does not list: prune would delete it", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a.bin", kind: "s" }, bytesOf("the bytes"));
  const { manifest } = await draft.finish(facts);
  const unlisted = { ...manifest, objects: [manifest.root.object] };
  const problems: unknown[] = [];
  for await (const event of verifySnapshot(deps, { scope, manifest: unlisted, cursor: null }))
    if (event.type === "problem") problems.push(event);
  const message = "The object of a.bin is not listed as needed by this version.";
  expect(problems).toEqual([{ type: "problem", path: "a.bin", message }]);
});

test("a check finds a stream that opens well under its own name and is not the one of the manifest", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a.bin", kind: "s" }, bytesOf("the bytes of the backup"));
  await draft.addStream({ path: "b.bin", kind: "s" }, bytesOf("others"));
  const { manifest } = await draft.finish(facts);
  const { where } = (await (await openSnapshot(deps, { scope, manifest, companions })).locate("a.bin"))!;
  expect(await problemsOf(deps, manifest)).toEqual([]);
  // Written by the vault itself with the same name, key and length, so every frame is authentic.
  const again = { ...deps, registry: memoryRegistry(), ids: { next: () => where.object as never } };
  await writeObject(again, { scope, kind: "stream", runId: "run_b" }, utf8("the bytes of a stranger"));
  expect(await problemsOf(deps, manifest)).toEqual(["a.bin"]);
});

test("a check detects two entries with different hashes and the same stream", async () => {
  for (const truth of ["a.bin", "b.bin"]) {
    const deps = setUp();
    const first = await begin(deps);
    await first.addStream({ path: truth, kind: "s" }, bytesOf("one"));
    await first.finish(facts);
    const one = [...deps.registry.stored.values()].find(({ kind }) => kind === "stream")!;
    const mistaken = { ...deps, registry: { ...deps.registry, findStream: async () => one } };
    const draft = await begin(mistaken);
    for (const path of ["a.bin", "b.bin"])
      await draft.addStream({ path, kind: "s" }, bytesOf(path === truth ? "one" : "two"));
    const { manifest } = await draft.finish(facts);
    expect(await problemsOf(deps, manifest)).toContain("b.bin");
  }
});

test("a record from a cut, modified or missing pack is never returned", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  const text = (i: number) => Buffer.from(randomBytes(30_000)).toString("base64") + i;
  for (let i = 0; i < 60; i++) await draft.addRecord({ path: `r/${i}`, kind: "k", value: text(i) });
  const first = await draft.finish(facts);
  const later = await begin(deps, first.manifest);
  later.keepAll("");
  await later.addRecord({ path: "s", kind: "k", value: 1 });
  const { manifest } = await later.finish(facts);
  const open = () => openSnapshot(deps, { scope, manifest, companions });
  const { where } = (await (await open()).locate("r/59"))!;
  expect(where.object).not.toBe(manifest.root.object);
  expect(where.offset).toBeGreaterThan(2 ** 20);
  const key = `${scope.organisationId}/${scope.itemId}/${where.object}`;
  const stored = deps.bucket.objects.get(key)!;
  const damaged = [
    new Uint8Array(0),
    ...[71, 100, 2 ** 20, 2 ** 20 + 88, stored.length - 1].map((n) => stored.slice(0, n)),
  ];
  for (const bytes of damaged) {
    deps.bucket.objects.set(key, bytes);
    await expect((await open()).readRecord("r/59")).rejects.toBeInstanceOf(VaultError);
  }
  deps.bucket.objects.delete(key);
  await expect((await open()).readRecord("r/59")).rejects.toMatchObject({ kind: "missing" });
  expect(await (await open()).readRecord("s")).toBe(1);
});

test("verifying in slices finds the same damage as in one pass, down to the record", async () => {
  const deps = setUp();
  let manifest: ListedManifest | null = null;
  for (let round = 0; round < 4; round++) {
    const draft: SnapshotDraft = await begin(deps, manifest);
    draft.keepAll("");
    for (let i = 0; i < 20; i++)
      await draft.addRecord({ path: `${round}/${i}`, kind: "k", value: { round, i } });
    await draft.addStream({ path: `${round}.bin`, kind: "s" }, bytesOf(`stream ${round}`));
    manifest = (await draft.finish(facts)).manifest;
  }
  const order = { scope, manifest: manifest! };
  const damaged = (await openSnapshot(deps, { ...order, companions }).then((s) => s.locate("1/3")))!.where
    .object;
  expect(damaged).not.toBe(manifest!.root.object);
  const key = `${scope.organisationId}/${scope.itemId}/${damaged}`;
  deps.bucket.objects.delete(key);
  const wanted = [damaged, ...Array.from({ length: 20 }, (_, i) => `1/${i}`)].sort();
  const inSlices: string[] = [];
  let cursor: VerifyCursor | null = null;
  for (let isOver = false; !isOver; ) {
    isOver = true;
    let objects = 0;
    for await (const event of verifySnapshot(deps, { ...order, cursor })) {
      if (event.type === "problem") inSlices.push(event.path);
      if (event.type === "progress") objects++;
      if (event.type === "checkpoint") cursor = event.cursor;
      if (event.type === "checkpoint" && objects >= 2 && event.cursor.object < manifest!.objects.length) {
        isOver = false;
        break;
      }
    }
  }
  expect([...new Set(inSlices)].sort()).toEqual(wanted);
});

test("skipped entries are listed up to half a megabyte and all counted, also by a resumed draft", async () => {
  const deps = setUp();
  let draft = await begin(deps);
  const skip = (count: number) => {
    for (let i = 0; i < count; i++)
      draft.skipped({ path: "é".repeat(500), kind: "issue", reason: "r".repeat(1_000) });
  };
  skip(200);
  draft = await begin(deps, null, await draft.checkpoint());
  skip(600);
  const { completeness } = await draft.finish(facts);
  expect(completeness.skippedCount).toBe(800);
  expect(completeness.skipped).toHaveLength(245);
  expect(Buffer.byteLength(JSON.stringify(completeness.skipped))).toBeLessThan(502_000);
});

test("temporary objects are deleted together, however often they were stored", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  for (let i = 0; i < 30; i++) {
    await draft.addRecord({ path: `issue/${i}`, kind: "issue", value: { i } });
    // Small segments become one, so that a cursor stays small.
    const { segments } = (await draft.checkpoint()) as { segments: unknown[] };
    expect(segments.length).toBeLessThanOrEqual(4);
  }
  await draft.finish(facts);
  const discard = vi.spyOn(deps.registry, "discard");
  await draft.discardTemporary();
  expect(discard).toHaveBeenCalledTimes(1);
  expect(discard.mock.calls[0]?.[0]).toHaveLength(30);
});

test("a long backup deletes what no cursor needs while it runs, and can be resumed from each cursor", async () => {
  const deps = setUp();
  let draft = await begin(deps);
  let stored: DraftCursor | null = null;
  for (let i = 0; i < 230; i++) {
    const next = async () => {
      await draft.addRecord({ path: `issue/${i % 7}`, kind: "issue", value: { i } });
      return draft.checkpoint();
    };
    const cursor = await next();
    if (i % 9 === 8) draft = await begin(deps, null, stored);
    stored = i % 9 === 8 ? await next() : cursor;
  }
  const drafts = () => [...deps.registry.stored.values()].filter(({ kind }) => kind === "draft").length;
  expect(drafts()).toBeLessThan(160);
  const { manifest } = await draft.finish(facts);
  await draft.discardTemporary();
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  for (let i = 0; i < 7; i++)
    expect(await snapshot.readRecord(`issue/${i}`)).toEqual({ i: 229 - ((229 - i) % 7) });
  // What an interrupted attempt wrote beyond its cursor is left to prune.
  expect(drafts()).toBeLessThanOrEqual(25);
});

test("a resumed draft still deletes the temporary objects from before the interruption", async () => {
  const deps = setUp();
  let draft = await begin(deps);
  for (let i = 0; i < 4; i++) {
    await draft.addRecord({ path: `issue/${i}`, kind: "issue", value: { i } });
    draft = await begin(deps, null, await draft.checkpoint());
  }
  const { manifest } = await draft.finish(facts);
  await draft.discardTemporary();
  expect([...deps.registry.stored.keys()].sort()).toEqual(manifest.objects);
  const keys = manifest.objects.map((id) => `${scope.organisationId}/${scope.itemId}/${id}`);
  expect([...deps.bucket.objects.keys()].sort()).toEqual(keys);
});

test("a count that is reported after a checkpoint is in the next one", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.checkpoint();
  draft.reported("issue", 7);
  const resumed = await begin(deps, null, await draft.checkpoint());
  expect((await resumed.finish(facts)).completeness.reported).toEqual({ issue: 7 });
});

test("a large stream that breaks off leaves neither bytes nor a reservation, and its error is told", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  const broken = draft.addStream({ path: "a", kind: "s" }, async (sink) => {
    for (let at = 0; at < 9; at++) await sink.write(new Uint8Array(1_048_576));
    throw new Error("the connection broke");
  });
  await expect(broken).rejects.toThrow("the connection broke");
  expect([deps.bucket.openUploads(), deps.bucket.objects.size, deps.registry.reserved.size]).toEqual([
    0, 0, 0,
  ]);
});

test("a stream that is read twice opens its object once", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  const write = async (sink: { write(chunk: Uint8Array): Promise<void> | void }) => {
    for (let at = 0; at < 3; at++) await sink.write(new Uint8Array(1_048_576).fill(at));
  };
  await draft.addStream({ path: "a", kind: "s" }, write);
  const { manifest } = await draft.finish(facts);
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  const readAt = async (offset: number) => {
    const before = deps.bucket.calls.get;
    for await (const chunk of snapshot.read("a", { offset, length: 5 })) expect(chunk[0]).toBe(2);
    return deps.bucket.calls.get - before;
  };
  // The manifest and the header, then only the bytes.
  await readAt(2 * 1_048_576);
  expect(await readAt(2 * 1_048_576 + 9)).toBe(1);
});

test("a check tells after each object how far it is, and where a later slice continues", async () => {
  const deps = setUp();
  const draft = await begin(deps);
  await draft.addStream({ path: "a", kind: "s" }, bytesOf("stream"));
  const { manifest } = await draft.finish(facts);
  const events = [];
  for await (const event of verifySnapshot(deps, { scope, manifest, cursor: null })) events.push(event);
  const total = manifest.objects.length;
  expect(events.filter(({ type }) => type === "progress")).toMatchObject([
    { done: 1, total },
    { done: 2, total },
  ]);
  expect(events.at(-1)).toEqual({ type: "checkpoint", cursor: { object: total } });
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["progress", "checkpoint"]));
});

test("the list of skipped entries does not depend on the order of events", async () => {
  const skips = ["b r1", "a r2", "a r1", "b r0", "a r0"].map((text) => text.split(" ") as [string, string]);
  const listOf = async (order: readonly [string, string][]) => {
    const draft = await begin(setUp());
    for (const [path, reason] of order) draft.skipped({ path, kind: "issue", reason });
    const { completeness } = await draft.finish(facts);
    return completeness.skipped.map(({ path, reason }) => `${path} ${reason}`);
  };
  const sorted = ["a r0", "a r1", "a r2", "b r0", "b r1"];
  expect(await listOf(skips)).toEqual(sorted);
  expect(await listOf([...skips].reverse())).toEqual(sorted);
});
