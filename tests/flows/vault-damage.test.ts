import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { openZip, storeLayout } from "#core/exports/stored-layout.ts";
import { zipRange } from "#core/exports/zip/layout.ts";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import {
  beginDraft,
  openObjectReader,
  openSnapshot,
  type StoredObject,
  type VaultDeps,
  VaultError,
  verifySnapshot,
  writeObject,
} from "#core/vault/index.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { howToRepeat, isDeep, sweepSeed } from "#tests/harness/sample.ts";

/** The number of damaged objects. Each commit tries others. */
const TRIES = isDeep() ? 10_000 : 1_200;

const scope = { organisationId: "org_a", itemId: "itm_a" };
const FRAME = 1_048_576 + 16;
const HEADER = 72;

/** Dice with the commit's seed, so that a failure can be repeated. */
function dice(): (sides: number) => number {
  const noise = createNoise(sweepSeed());
  return (sides) => Math.floor(noise() * sides);
}

function setUp(organisationKey = { version: 1, bytes: randomBytes(32) }) {
  const bucket = memoryBucket();
  return { bucket, registry: memoryRegistry(), organisationKey, ids: randomIds };
}

/** A pack and its index, created by git. */
function gitFiles(): { pack: Uint8Array; idx: Uint8Array } {
  const workshop = openGitWorkshop();
  try {
    workshop.git(".", ["init", "-q", "-b", "main", "work"]);
    for (let i = 0; i < 12; i++) {
      workshop.write(`work/file-${i}.txt`, `line ${i}\n`.repeat(50 + i));
      workshop.commit("work", `commit ${i}`);
    }
    workshop.git("work", ["repack", "-adq"]);
    const folder = join(workshop.folder, "work/.git/objects/pack");
    const named = (ending: string) => readdirSync(folder).find((name) => name.endsWith(ending))!;
    return {
      pack: readFileSync(join(folder, named(".pack"))),
      idx: readFileSync(join(folder, named(".idx"))),
    };
  } finally {
    workshop.remove();
  }
}

/** A version as a backup, its check, an export and an unfinished run leave it in the bucket. */
async function makeVault(
  deps: VaultDeps & { bucket: ReturnType<typeof memoryBucket> },
  { pack, idx }: ReturnType<typeof gitFiles>,
) {
  const draft = await beginDraft(deps, { scope, runId: "run_a", previous: null, resume: null });
  for (let i = 0; i < 60; i++) {
    const value = { number: i, body: `text ${i} `.repeat(i) };
    await draft.addRecord({ path: `issues/${i}.json`, kind: "issue", value });
  }
  await draft.addStream({ path: "git/first.pack", kind: "git-pack" }, async (sink) => sink.write(pack));
  const { manifest } = await draft.finish({ apiVersion: "1", account: "octo" });
  const large = await writeObject(
    deps,
    { scope, kind: "stream", runId: "run_a" },
    new Uint8Array(2 * 1_048_576 + 77).fill(9),
  );
  const finder = new Map<string, StoredObject>();
  const open = () =>
    openSnapshot(deps, {
      scope,
      manifest,
      companions: { find: async (id, name) => finder.get(`${id} ${name}`) ?? null },
    });
  const source = (await (await open()).locate("git/first.pack"))!.where.object;
  const index = await writeObject(deps, { scope, kind: "companion", runId: "run_a" }, idx);
  finder.set(`${source} idx`, index);
  async function* files(): AsyncGenerator<ExportFile> {
    yield { path: "README.md", source: "bytes", bytes: new Uint8Array([1, 2, 3]) };
    yield { path: "first.pack", source: "entry", entry: "git/first.pack" };
    yield { path: "first.idx", source: "companion", entry: "git/first.pack", name: "idx" };
    yield { path: "59.json", source: "entry", entry: "issues/59.json" };
  }
  const { object: layout } = await storeLayout(deps, await open(), {
    ...scope,
    runId: "run_a",
    mtime: 0,
    files: files(),
  });
  const next = await beginDraft(deps, { scope, runId: "run_b", previous: manifest, resume: null });
  await next.addRecord({ path: "issues/new.json", kind: "issue", value: { number: 99 } });
  const cursor = await next.checkpoint();
  next.abandon();

  /** Everything that the product reads of it, as one text. @throws VaultError */
  const readAll = async (kind: string): Promise<string> => {
    const all: string[] = [];
    const take = async (name: string, chunks: AsyncIterable<Uint8Array>) => {
      const bytes: Uint8Array[] = [];
      for await (const chunk of chunks) bytes.push(chunk.slice());
      all.push(`${name} ${Buffer.concat(bytes).toString("base64")}`);
    };
    const view = await open();
    if (kind === "stream") await take("stream", view.read("git/first.pack"));
    if (kind === "pack") await take("record", view.read("issues/59.json"));
    if (kind === "pack" || kind === "stream") {
      for await (const event of verifySnapshot(deps, { scope, manifest, cursor: null }))
        if (event.type === "problem") throw new VaultError("tampered", event.message);
    }
    if (kind === "large stream") await take("large", openObjectReader(deps, { scope, ...large }).read());
    if (kind === "companion") await take("idx", view.readCompanion("git/first.pack", "idx"));
    if (kind === "layout") {
      const zip = await openZip(deps, view, { ...scope, object: layout });
      await take("zip", zipRange(zip.layout, { from: 0, to: zip.layout.totalBytes }, zip.read) as never);
    }
    if (kind === "draft" || kind === "new pack") {
      const resumed = await beginDraft(deps, { scope, runId: "run_b", previous: manifest, resume: cursor });
      resumed.keepAll("");
      const { manifest: newer } = await resumed.finish({ apiVersion: "1", account: "octo" });
      const later = await openSnapshot(deps, {
        scope,
        manifest: newer,
        companions: { find: async () => null },
      });
      await take("new", later.read("issues/new.json"));
    }
    return all.join("\n");
  };
  return { manifest, readAll };
}

/** Returns bytes that differ from the given ones. */
function damaged(
  stored: Uint8Array,
  others: readonly Uint8Array[],
  roll: (sides: number) => number,
): Uint8Array {
  const frames = Math.ceil((stored.length - HEADER) / FRAME);
  const cutInFrames = () =>
    Array.from({ length: frames }, (_, i) => stored.subarray(HEADER + i * FRAME, HEADER + (i + 1) * FRAME));
  switch (roll(frames > 1 ? 9 : 6)) {
    case 0:
      return stored.subarray(0, roll(stored.length));
    case 1:
      return Buffer.concat([stored, randomBytes(1 + roll(40))]);
    case 2: {
      const same = others.filter((bytes) => Buffer.compare(bytes, stored) !== 0);
      return same[roll(same.length)]!;
    }
    case 3: {
      const zeroed = stored.slice();
      const from = roll(stored.length);
      zeroed.fill(0, from, from + 1 + roll(64));
      return Buffer.compare(zeroed, stored) === 0 ? stored.subarray(1) : zeroed;
    }
    case 6: {
      const kept = cutInFrames();
      kept.splice(roll(frames), 1);
      return Buffer.concat([stored.subarray(0, HEADER), ...kept]);
    }
    case 7: {
      const doubled = cutInFrames();
      const at = roll(frames);
      doubled.splice(at, 0, doubled[at]!);
      return Buffer.concat([stored.subarray(0, HEADER), ...doubled]);
    }
    case 8: {
      const moved = cutInFrames();
      moved.unshift(moved.pop()!);
      return Buffer.concat([stored.subarray(0, HEADER), ...moved]);
    }
    default: {
      const flipped = stored.slice();
      flipped[roll(stored.length)]! ^= 1 << roll(8);
      return flipped;
    }
  }
}

test("every kind of damage to every kind of object is detected and reported as damage", {
  timeout: 300_000,
}, async () => {
  const roll = dice();
  const deps = setUp();
  const files = gitFiles();
  const { manifest, readAll } = await makeVault(deps, files);
  // The same content in another item and under another key: the most plausible swap.
  const twin = setUp(deps.organisationKey);
  await makeVault(twin, files);
  const stranger = setUp();
  await makeVault(stranger, files);
  const objects = new Map(deps.bucket.objects);
  const others = [deps, twin, stranger].flatMap(({ bucket }) => [...bucket.objects.values()]);
  const needed = new Set(manifest.objects);
  const targets = [...deps.registry.stored.values()].map(({ id, key, kind }) => ({
    key,
    how:
      needed.has(id) || !["pack", "stream"].includes(kind)
        ? kind
        : kind === "pack"
          ? "new pack"
          : "large stream",
  }));
  expect([...new Set(targets.map(({ how }) => how))].sort()).toEqual([
    "companion",
    "draft",
    "large stream",
    "layout",
    "new pack",
    "pack",
    "stream",
  ]);
  for (const { how } of targets) expect((await readAll(how)).length).toBeGreaterThan(0);
  const [small, large] = [true, false].map((isSmall) =>
    targets.filter(({ key }) => objects.get(key)!.length < FRAME === isSmall),
  ) as [typeof targets, typeof targets];
  const silent: string[] = [];
  const tried: Record<string, number> = {};
  for (let at = 0; at < TRIES; at++) {
    // The large object is slow to read, so it is tried rarely.
    const pool = at % 100 === 0 ? large : small;
    const { key, how } = pool[roll(pool.length)]!;
    for (const name of deps.bucket.objects.keys()) if (!objects.has(name)) deps.bucket.objects.delete(name);
    // Small Buffers share memory, which the bucket's streams would transfer. So this copies the bytes.
    deps.bucket.objects.set(key, new Uint8Array(damaged(objects.get(key)!, others, roll)));
    const outcome = await readAll(how).catch((cause: unknown) => cause);
    deps.bucket.objects.set(key, objects.get(key)!);
    if (!(outcome instanceof VaultError)) {
      const said = outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : "nothing at all";
      silent.push(`try ${at}, ${how}: ${said} (${howToRepeat()})`);
    }
    tried[how] = (tried[how] ?? 0) + 1;
  }
  expect(silent).toEqual([]);
  expect(Math.min(...Object.values(tried))).toBeGreaterThanOrEqual(TRIES / 100);
});
