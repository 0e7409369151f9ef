import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { diffManifests, type ManifestEntry, type ManifestRef, openManifest } from "./index.ts";
import { decodeChunk, decodeLine, decodeRoot, encodeChunk, endsChunk, linesOfChunk } from "./manifest.ts";
import { createManifestWriter } from "./manifest-writer.ts";
import { compareUtf8 } from "./paths.ts";
import { createPackWriter, hashOf } from "./record-pack.ts";

const scope = { organisationId: "org_a", itemId: "itm_a" };
const facts = { apiVersion: "1", account: "octo", reported: {}, skipped: [], skippedCount: 0 };

const entryOf = (path: string, content = path): ManifestEntry => ({
  path,
  kind: "issue",
  type: "record",
  sizeBytes: content.length,
  hash: hashOf(content),
  crc32: 1,
  where: { object: "obj_data", offset: 0, length: content.length, method: 0 },
});

function setUp() {
  const bucket = memoryBucket();
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  const deps = {
    bucket,
    registry: memoryRegistry(),
    organisationKey,
    ids: randomIds,
    clock: { now: () => 0 },
  };
  const open = (ref: ManifestRef) => openManifest(deps, { scope, ref });
  async function write(entries: readonly ManifestEntry[], previous: ManifestRef | null = null) {
    const packs = createPackWriter(deps, { scope, runId: "run_a", onWritten: () => {} });
    const writer = createManifestWriter(packs, previous && (await open(previous)));
    for (const entry of entries) await writer.add(entry);
    const { written } = await writer.finish(facts);
    await packs.flush();
    return written!;
  }
  return { bucket, open, write };
}

test("paths sort by their UTF-8 bytes", () => {
  const unit = fc.constantFrom("a", "z", "/", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}");
  const text = fc.array(unit, { maxLength: 5 }).map((units) => units.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareUtf8(a, b))).toBe(bytes);
    }),
    { numRuns: 2_000 },
  );
});

test("a chunk is lines of canonical JSON, and unknown fields are ignored", () => {
  const entries = [entryOf("a"), { ...entryOf("b"), title: 'T\n"', parent: "a" }];
  const { id, bytes } = encodeChunk(entries);
  const lines = Buffer.from(bytes).toString().split("\n");
  expect(lines).toEqual([...entries.map((entry) => canonicalJson(entry)), ""]);
  expect(id).toBe(hashOf(entries.map(({ where: _, ...rest }) => `${canonicalJson(rest)}\n`).join("")));
  expect(decodeChunk(bytes)).toEqual(entries);
  const moved = entries.map((entry) => ({ ...entry, where: { ...entry.where, object: "obj_elsewhere" } }));
  expect(encodeChunk(moved).id).toBe(id);
  expect(decodeChunk(Buffer.from('{"later":1,"path":"a"}\n'))).toMatchObject([{ path: "a" }]);
});

test("a manifest of another format or version is refused", () => {
  const root = (change: object) => {
    const whole = { format: "holdfast-manifest", version: 1, chunks: [], ...change };
    return () => decodeRoot(Buffer.from(JSON.stringify(whole)));
  };
  expect(root({ unknown: true })).not.toThrow();
  expect(root({ version: 2 })).toThrow("unknown format");
  expect(root({ format: "x" })).toThrow("unknown format");
});

test("bytes that are no JSON are damaged, and the error names the part of the manifest", () => {
  const error = (what: string) =>
    expect.objectContaining({ kind: "tampered", message: `${what} is not JSON` });
  expect(() => decodeRoot(Buffer.from("{"))).toThrow(error("a manifest root"));
  expect(() => decodeChunk(Buffer.from('{"path":\n'))).toThrow(error("a manifest chunk"));
  expect(() => decodeLine('{"path":')).toThrow(error("a line of a manifest chunk"));
});

test("finding and listing agree with the sorted list, and fetch only the chunks they need", async () => {
  const { open, write, bucket } = setUp();
  const paths = Array.from({ length: 9_000 }, (_, i) => `d${i % 7}/${i}`).sort(compareUtf8);
  const manifest = await open(await write(paths.map((path) => entryOf(path))));
  expect(manifest.root.chunks.length).toBeGreaterThan(6);
  for (const path of [paths[0]!, paths[4_321]!, paths.at(-1)!])
    expect((await manifest.find(path))?.path).toBe(path);
  for (const path of ["", "d", "d3/", "zzz", `${paths[5]}x`]) expect(await manifest.find(path)).toBeNull();
  for (const prefix of ["", "d3/", "d3/1", "d6/89", "e", "d3/999999"]) {
    const found: string[] = [];
    for await (const { path } of manifest.entries(prefix)) found.push(path);
    const expected = paths.filter((path) => path.startsWith(prefix));
    expect(found).toEqual(expected);
    const back: string[] = [];
    for await (const { path } of manifest.entriesBack(prefix)) back.push(path);
    expect(back).toEqual(expected.toReversed());
  }
  for (const [prefix, after] of [
    ["", paths[4_000]!],
    ["d3/", "d3/5"],
    ["d3/", "d2/999"],
    ["d3/", "d4/1"],
    ["", "zzz"],
  ] as const) {
    const found: string[] = [];
    for await (const { path } of manifest.entries(prefix, after)) found.push(path);
    expect(found).toEqual(paths.filter((path) => path.startsWith(prefix) && compareUtf8(path, after) > 0));
    const back: string[] = [];
    for await (const { path } of manifest.entriesBack(prefix, after)) back.push(path);
    const before = paths.filter((path) => path.startsWith(prefix) && compareUtf8(path, after) < 0);
    expect(back).toEqual(before.toReversed());
  }
  expect(bucket.calls.get).toBeLessThan(8);
});

test("a difference lists exactly what was added, removed and changed", async () => {
  const path = fc.nat(2_500).map((i) => `p/${i}`);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { maxLength: 6 }),
      fc.uniqueArray(path, { maxLength: 6 }),
      fc.nat(2_000),
      async (gone, changed, late) => {
        const { open, write } = setUp();
        const old = Array.from({ length: 2_000 }, (_, i) => `p/${i}`);
        const young = [...old.filter((each) => !gone.includes(each)), `p/${late}-late`];
        const before = await write(old.sort(compareUtf8).map((each) => entryOf(each)));
        const content = (each: string) => (changed.includes(each) ? "changed" : each);
        const after = await write(young.sort(compareUtf8).map((each) => entryOf(each, content(each))));
        const expected = new Map([
          ...gone.filter((each) => old.includes(each)).map((each) => [each, "removed"] as const),
          ...changed.filter((each) => young.includes(each)).map((each) => [each, "changed"] as const),
          [`p/${late}-late`, "added"] as const,
        ]);
        const found: [string, string][] = [];
        for await (const each of diffManifests(await open(before), await open(after))) {
          found.push([each.path, each.before ? (each.after ? "changed" : "removed") : "added"]);
        }
        expect(found).toEqual([...expected].sort(([a], [b]) => compareUtf8(a, b)));
      },
    ),
    { numRuns: 25 },
  );
});

test("ten changes among a hundred thousand entries read about ten chunks, not all", async () => {
  const { open, write, bucket } = setUp();
  const paths = Array.from({ length: 100_000 }, (_, i) => `issues/${i}`).sort(compareUtf8);
  const first = await write(paths.map((path) => entryOf(path)));
  const content = (path: string) => (/\/\d5555$/.test(path) ? "changed" : path);
  const entries = paths.map((path) => entryOf(path, content(path)));
  const second = await write(entries, first);
  const [before, after] = [await open(first), await open(second)];
  const shared = new Set(before.root.chunks.map(({ id }) => id));
  const fresh = after.root.chunks.filter(({ id }) => !shared.has(id));
  expect(fresh.length).toBeLessThanOrEqual(10);
  const count = async () => {
    let changes = 0;
    for await (const { before: old, after: young } of diffManifests(before, after))
      changes += old && young ? 1 : 100;
    return changes;
  };
  const gets = bucket.calls.get;
  expect(await count()).toBe(9);
  expect(bucket.calls.get - gets).toBeLessThanOrEqual(20);
  expect(await count()).toBe(9);
  expect(bucket.calls.get - gets).toBeLessThanOrEqual(20);
});

test("entries that only changed location are no difference", async () => {
  const { open, write } = setUp();
  const paths = Array.from({ length: 300 }, (_, i) => `issues/${i}`).sort(compareUtf8);
  const before = await write(paths.map((path) => entryOf(path)));
  const moved = (entry: ManifestEntry) => ({ ...entry, where: { ...entry.where, object: "obj_moved" } });
  const content = (path: string) => (path === "issues/77" ? "changed" : path);
  const after = await write(paths.map((path) => moved(entryOf(path, content(path)))));
  const found: (string | undefined)[][] = [];
  for await (const { path, before: old, after: young } of diffManifests(
    await open(before),
    await open(after),
  ))
    found.push([path, old?.where.object, young?.where.object]);
  expect(found).toEqual([["issues/77", "obj_data", "obj_moved"]]);
});

const pathsOf = async (differences: AsyncIterable<{ path: string }>) => {
  const paths: string[] = [];
  for await (const { path } of differences) paths.push(path);
  return paths;
};

test("a difference at the end of a manifest is found in both directions", async () => {
  const { open, write } = setUp();
  const all = Array.from({ length: 50 }, (_, i) => entryOf(`p/${i}`)).sort((a, b) =>
    compareUtf8(a.path, b.path),
  );
  const [long, short] = [await write(all), await write(all.slice(0, -1))];
  const last = all.at(-1)!.path;
  expect(await pathsOf(diffManifests(await open(long), await open(short)))).toEqual([last]);
  expect(await pathsOf(diffManifests(await open(short), await open(long)))).toEqual([last]);
});

test("versions that share all chunks are compared without a request, and otherwise only new chunks are read", async () => {
  const { open, write, bucket } = setUp();
  const old = Array.from({ length: 6_000 }, (_, i) => `m/${i}`).sort(compareUtf8);
  const first = await write(old.map((path) => entryOf(path)));
  const fresh = Array.from({ length: 3_000 }, (_, i) => `a/${i}`).sort(compareUtf8);
  const second = await write(
    [...fresh, ...old].map((path) => entryOf(path)),
    first,
  );
  const readFor = async (one: ManifestRef, other: ManifestRef) => {
    const [before, after] = [await open(one), await open(other)];
    const gets = bucket.calls.get;
    const found = await pathsOf(diffManifests(before, after));
    return { found, gets: bucket.calls.get - gets };
  };
  expect(await readFor(first, first)).toEqual({ found: [], gets: 0 });
  const { root: grown } = await open(second);
  const shared = new Set((await open(first)).root.chunks.map(({ id }) => id));
  const unshared = grown.chunks.filter(({ id }) => !shared.has(id)).length;
  const added = await readFor(first, second);
  expect(added.found).toEqual(fresh);
  const removed = await readFor(second, first);
  expect(removed.found).toEqual(fresh);
  for (const { gets } of [added, removed]) expect(gets).toBeLessThanOrEqual(unshared + 1);
});

test("a chunk has one line per entry, and each line is that entry", () => {
  const entries = ["a", "b", "c"].map((path) => entryOf(path));
  const lines = linesOfChunk(encodeChunk(entries).bytes);
  expect(lines.map(decodeLine)).toEqual(entries);
});

test("a chunk ends at its two thousand and forty-eighth entry, whatever its path", () => {
  expect(["a", "b"].map((path) => endsChunk(path, 2_047))).toEqual([false, false]);
  expect(endsChunk("a", 2_048)).toBe(true);
});

test("the root counts what its chunks hold", async () => {
  const { open, write } = setUp();
  const entries = Array.from({ length: 3_000 }, (_, at) => entryOf(`p/${at}`)).sort((a, b) =>
    compareUtf8(a.path, b.path),
  );
  const ref = await write(entries);
  const { root } = await open(ref);
  const sum = entries.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  expect([root.entryCount, root.sizeBytes, ref.entryCount, ref.sizeBytes]).toEqual([3_000, sum, 3_000, sum]);
  expect(root.chunks.reduce((total, { sizeBytes }) => total + sizeBytes, 0)).toBe(sum);
  expect(root.chunks.reduce((total, { count }) => total + count, 0)).toBe(3_000);
  expect(root.completeness.counts).toEqual({ issue: 3_000 });
  expect(ref.objects).toEqual([...new Set(["obj_data", ref.root.object])].sort());
});
