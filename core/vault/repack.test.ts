import fc from "fast-check";
import { expect, test } from "vitest";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import {
  beginDraft,
  type ListedManifest,
  measurePacks,
  objectKey,
  openSnapshot,
  planRepack,
  repackManifests,
  type VaultDeps,
  verifySnapshot,
} from "./index.ts";
import { createManifestWriter } from "./manifest-writer.ts";
import { createPackWriter, hashOf, packShare } from "./record-pack.ts";

const scope = { organisationId: "org_a", itemId: "itm_a" };
const facts = { apiVersion: "1", account: "octo" };

function setUp() {
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  return { bucket: memoryBucket(), registry: memoryRegistry(), organisationKey, ids: randomIds };
}
type World = ReturnType<typeof setUp>;

/** Takes a version with these texts under these names, and one stream that never changes. */
async function take(deps: VaultDeps, previous: ListedManifest | null, state: ReadonlyMap<number, string>) {
  const draft = await beginDraft(deps, { scope, runId: "run_a", previous, resume: null });
  for (const [number, body] of state) {
    await draft.addRecord({ path: `issues/${number}.json`, kind: "issue", value: { number, body } });
  }
  await draft.addStream({ path: "file.bin", kind: "file" }, async (sink) => sink.write(new Uint8Array(99)));
  return (await draft.finish(facts)).manifest;
}

/** Everything that a reader sees, without locations. */
async function contentOf(deps: VaultDeps, manifest: ListedManifest): Promise<string> {
  const companions = { find: async () => null };
  const snapshot = await openSnapshot(deps, { scope, manifest, companions });
  const lines = [manifest.id, JSON.stringify(snapshot.completeness())];
  for await (const { where, ...entry } of snapshot.locateAll()) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of snapshot.read(entry.path)) chunks.push(chunk.slice());
    const stored: Uint8Array[] = [];
    for await (const chunk of snapshot.readStored({ ...entry, where })) stored.push(chunk.slice());
    lines.push(
      JSON.stringify([entry, where.method, where.length, ...chunks.map(String), ...stored.map(String)]),
    );
  }
  return lines.join("\n");
}

async function problemsOf(deps: VaultDeps, manifest: ListedManifest): Promise<string[]> {
  const problems: string[] = [];
  for await (const event of verifySnapshot(deps, { scope, manifest, cursor: null })) {
    if (event.type === "problem") problems.push(event.message);
  }
  return problems;
}

const isPackIn = (world: World) => (id: string) => world.registry.stored.get(id)?.kind === "pack";

async function sparsePacks(world: World, manifests: readonly ListedManifest[]) {
  const uses = await measurePacks(world, { scope, manifests });
  const measured = [...uses].map(([id, { aliveBytes, recordBytes }]) => {
    const { sizeBytes } = world.registry.stored.get(id)!;
    expect(aliveBytes).toBeLessThanOrEqual(sizeBytes);
    return { id, sizeBytes, aliveBytes, recordBytes };
  });
  return new Map(planRepack(measured).map((id) => [id, uses.get(id)!]));
}

/** Deletes what prune would delete: every object that no manifest lists. */
async function dropUnlisted(world: World, manifests: readonly ListedManifest[]): Promise<void> {
  const listed = new Set(manifests.flatMap(({ objects }) => objects));
  for (const { id, kind } of [...world.registry.stored.values()]) {
    if (listed.has(id) || kind === "draft") continue;
    await world.bucket.delete(objectKey(scope, id));
    world.registry.stored.delete(id);
  }
}

const change = fc.array(fc.tuple(fc.nat(40), fc.string({ maxLength: 200 })), { minLength: 1, maxLength: 25 });
const history = fc.record({
  changes: fc.array(fc.record({ set: change, drop: fc.array(fc.nat(40), { maxLength: 10 }) }), {
    minLength: 2,
    maxLength: 7,
  }),
  /** Which versions are kept. */
  kept: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
});

test("after a repack every version is unchanged under the same id, and unused bytes are gone", async () => {
  let rewritten = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ changes, kept }) => {
      const world = setUp();
      const state = new Map<number, string>();
      const versions: ListedManifest[] = [];
      for (const { set, drop } of changes) {
        for (const number of drop) state.delete(number);
        for (const [number, body] of set) state.set(number, body);
        versions.push(await take(world, versions.at(-1) ?? null, state));
      }
      const manifests = versions.filter((_, i) => i === versions.length - 1 || kept[i]);
      await dropUnlisted(world, manifests);
      const before = await Promise.all(manifests.map((ref) => contentOf(world, ref)));
      const writtenBefore = [...world.bucket.objects.keys()];
      for (let round = 0, refs: readonly ListedManifest[] = manifests; ; round++) {
        expect(round).toBeLessThan(2);
        const packs = await sparsePacks(world, refs);
        if (packs.size === 0) break;
        rewritten += packs.size;
        const isPack = isPackIn(world);
        const known = new Set(world.registry.stored.keys());
        const result = await repackManifests(world, {
          scope,
          runId: "run_b",
          manifests: refs,
          packs,
          isPack,
        });
        const written = [...world.registry.stored.values()].filter(({ id }) => !known.has(id));
        expect(result.newBytes).toBe(written.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
        // Existing objects stay: readers that use the old locations continue.
        for (const key of writtenBefore) if (round === 0) expect(world.bucket.objects.has(key)).toBe(true);
        for (const [i, ref] of refs.entries()) expect(await contentOf(world, ref)).toBe(before[i]);
        refs = result.manifests;
        for (const ref of refs) for (const id of packs.keys()) expect(ref.objects).not.toContain(id);
        await dropUnlisted(world, refs);
        for (const [i, ref] of refs.entries()) {
          expect(await contentOf(world, ref)).toBe(before[i]);
          expect(await problemsOf(world, ref)).toEqual([]);
        }
      }
    }),
    { numRuns: 30 },
  );
  expect(rewritten).toBeGreaterThan(20);
});

/** Takes ten versions and keeps only the last, so most of every pack is dead. */
async function makeSparse(world: World): Promise<ListedManifest> {
  let newest: ListedManifest | null = null;
  for (let round = 0; round < 10; round++) {
    const state = new Map<number, string>();
    for (let i = 0; i < 60; i++) {
      const changedIn = i < 6 ? Math.min(round, i) : round;
      state.set(i, `${changedIn} ${"text ".repeat(40)}`);
    }
    newest = await take(world, newest, state);
  }
  await dropUnlisted(world, [newest!]);
  return newest!;
}

test("a repack that fails at any write leaves every version readable, and the next one completes", async () => {
  const world = setUp();
  const newest = await makeSparse(world);
  const packs = await sparsePacks(world, [newest]);
  expect(packs.size).toBeGreaterThan(3);
  const content = await contentOf(world, newest);
  const order = { scope, runId: "run_b", manifests: [newest], packs, isPack: isPackIn(world) };
  let failures = 0;
  for (let at = 0; ; at++) {
    let seen = 0;
    world.bucket.beforeEach = (operation) => {
      if (operation !== "delete" && seen++ >= at && seen <= at + 3) throw new Error("the bucket is away");
    };
    const outcome = await repackManifests(world, order).catch(() => null);
    world.bucket.beforeEach = () => {};
    expect(await contentOf(world, newest)).toBe(content);
    if (outcome && seen <= at) {
      expect(await contentOf(world, outcome.manifests[0]!)).toBe(content);
      break;
    }
    failures += outcome ? 0 : 1;
  }
  expect(failures).toBeGreaterThan(2);
});

test("a damaged record stops the repack and is not copied into a new pack", async () => {
  const world = setUp();
  const newest = await makeSparse(world);
  const packs = await sparsePacks(world, [newest]);
  const key = objectKey(scope, [...packs.keys()][0]!);
  world.bucket.objects.get(key)![90]! ^= 1;
  const order = { scope, runId: "run_b", manifests: [newest], packs, isPack: isPackIn(world) };
  await expect(repackManifests(world, order)).rejects.toThrow("is not what was written");
});

test("the used bytes of a pack are exact, with records apart from chunks and the root", async () => {
  const world = setUp();
  const state = new Map(Array.from({ length: 40 }, (_, i) => [i, `${i} ${"text ".repeat(i)}`] as const));
  const manifest = await take(world, null, state);
  const snapshot = await openSnapshot(world, { scope, manifest, companions: { find: async () => null } });
  const lengths = new Map<number, number>();
  for await (const { type, where } of snapshot.locateAll())
    if (type === "record") lengths.set(where.offset, where.length);
  const [[id, use]] = [...(await measurePacks(world, { scope, manifests: [manifest, manifest] }))] as [
    [string, { aliveBytes: number; recordBytes: number; blobs: number; has(offset: number): boolean }],
  ];
  expect(id).toBe(manifest.root.object);
  expect(use.recordBytes).toBe([...lengths.values()].reduce((sum, length) => sum + packShare(length), 0));
  // Records, one chunk and the root.
  expect(use.blobs).toBe(lengths.size + 2);
  expect([...lengths.keys()].every((offset) => use.has(offset))).toBe(true);
  expect(use.has(2 ** 22)).toBe(false);
});

test("an entry whose record is missing from its pack stops the repack", async () => {
  const world = setUp();
  const packs = createPackWriter(world, { scope, runId: "run_a", onWritten: () => {} });
  const plain = new TextEncoder().encode('{"number":1}');
  const { where, hash } = await packs.add("record", plain, hashOf(plain));
  const entry = {
    path: "issues/1.json",
    kind: "issue",
    type: "record",
    sizeBytes: plain.length,
    hash,
    crc32: 1,
  } as const;
  for (const wrong of [{ offset: where.offset + 1 }, { length: where.length - 1 }, { method: 8 as const }]) {
    const writer = createManifestWriter(packs, null);
    await writer.add({ ...entry, where: { ...where, ...wrong } });
    const { written } = await writer.finish({ ...facts, reported: {}, skipped: [], skippedCount: 0 });
    await packs.flush();
    const use = { aliveBytes: 1, recordBytes: 1, blobs: 1, has: () => true };
    const order = {
      scope,
      runId: "run_b",
      manifests: [written!],
      packs: new Map([[where.object, use]]),
      isPack: () => true,
    };
    await expect(repackManifests(world, order)).rejects.toThrow("does not lie where the manifest says");
  }
});
