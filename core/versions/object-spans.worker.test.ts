import { env } from "cloudflare:workers";
import { eq, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { manifest, numberOf, objectSpan, run, snapshot, vaultObject } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { ListedManifest } from "#core/vault/index.ts";
import { type Dice, dice } from "#tests/harness/dice.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addItem,
  addObject,
  addRun,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { commitSnapshot } from "./commit.store.ts";
import { dropLooseManifests, END_OF_ITEMS, markUnreferenced } from "./prune.store.ts";
import { findListedManifest } from "./registry.store.ts";
import { commitRepack, listManifests } from "./repack.store.ts";

const NOW = Date.UTC(2026, 10, 3);

beforeEach(async () => {
  await emptyEverything();
  await addItem();
});

let count = 0;
const next = (prefix: string) => `${prefix}_${String(++count).padStart(6, "0")}`;

/** A manifest of this content at a place of its own. The first object holds it. */
function manifestOf(id: string, objects: readonly string[]): ListedManifest {
  const root = { object: objects[0]!, offset: ++count, length: 1, method: 0 as const, hash: "hash" };
  return { id, root, entryCount: 1, sizeBytes: 1, objects: [...objects].sort() };
}

type Drafted = { manifest: ListedManifest; previous: ListedManifest | null };

/** Commits a version of this draft, whose run began after all others. */
async function commit({ manifest: made, previous }: Drafted, to: LedgerDatabase = ledger): Promise<boolean> {
  const [runId, snapshotId] = [next("run"), next("snp")];
  const at = NOW + count;
  await addRun({ id: runId, beganAt: at });
  const isDone = await commitSnapshot(to, {
    hold: { runId, epoch: 1, itemId: ITEM },
    organisationId: ORGANISATION,
    snapshotId,
    takenAt: at,
    committedAt: at,
    expiresAt: at,
    draft: {
      manifest: made,
      previous,
      unchanged: false,
      newBytes: 1,
      completeness: {
        ...{ counts: {}, reported: {}, skipped: [], skippedCount: 0 },
        ...{ apiVersion: "1", account: "octo" },
      },
    },
    item: { name: "n", fullName: "o/n", description: null, details: {} },
    verifyRunId: next("run"),
    copyTo: null,
    bytesRead: 1,
  });
  // The check of the version is over.
  await ledger.delete(run);
  return isDone;
}

/** The ledger by the simplest rules: every manifest with its whole list, and every version with its manifest. */
class Model {
  readonly manifests = new Map<string, ListedManifest>();
  /** Oldest first. */
  versions: { manifestId: string; isDamaged: boolean }[] = [];

  newestSound(): ListedManifest | null {
    const id = this.versions.findLast(({ isDamaged }) => !isDamaged)?.manifestId;
    return (id && this.manifests.get(id)) || null;
  }

  commit(made: ListedManifest): void {
    const isDamaged = this.versions.some(({ manifestId, isDamaged: is }) => manifestId === made.id && is);
    if (isDamaged || !this.manifests.has(made.id)) this.manifests.set(made.id, made);
    this.versions.push({ manifestId: made.id, isDamaged: false });
  }

  drop(): void {
    for (const id of this.manifests.keys())
      if (this.versions.every(({ manifestId }) => manifestId !== id)) this.manifests.delete(id);
  }
}

/** Every list is the model's, and no object has a span that no manifest is in. */
async function expectSame(model: Model): Promise<void> {
  const lists = new Map<string, readonly string[]>();
  for (const { id } of await ledger.select({ id: manifest.id }).from(manifest)) {
    const found = await findListedManifest(ledger, ORGANISATION, { itemId: ITEM, manifestId: id });
    lists.set(id, found!.objects.toSorted());
  }
  const expected = [...model.manifests].map(([id, { objects }]) => [id, objects] as const);
  expect(lists).toEqual(new Map(expected));
  const spanned = await ledger.selectDistinct({ id: objectSpan.objectId }).from(objectSpan);
  const needed = new Set(expected.flatMap(([, objects]) => objects));
  expect(spanned.map(({ id }) => id).sort()).toEqual([...needed].sort());
}

/** What a manifest with these objects needs after a change: some go, some come, some come back. */
async function changed(roll: Dice, known: readonly string[], old: readonly string[]): Promise<string[]> {
  const kept = known.filter(() => roll(4) > 0);
  const back = old.filter(() => roll(6) === 0);
  const fresh = Array.from({ length: 1 + roll(3) }, () => next("obj"));
  for (const id of fresh) await addObject({ id });
  return [...new Set([...fresh, ...kept, ...back])];
}

/** Deletes versions, and manifests that are loose then. */
async function expireSome(model: Model, isGone: (at: number) => boolean): Promise<void> {
  const rows = await ledger.select().from(snapshot).orderBy(snapshot.takenAt);
  for (const [at, { id }] of rows.entries())
    if (isGone(at)) await ledger.delete(snapshot).where(eq(snapshot.id, id));
  model.versions = model.versions.filter((_, at) => !isGone(at));
  await dropLooseManifests(ledger, { from: "", to: END_OF_ITEMS });
  model.drop();
}

const ACTS: Record<string, (model: Model, roll: Dice) => Promise<void>> = {
  async change(model, roll) {
    const previous = roll(5) === 0 ? null : model.newestSound();
    const all = [...model.manifests.values()].flatMap(({ objects }) => objects);
    const made = manifestOf(next("man"), await changed(roll, previous?.objects ?? [], all));
    expect(await commit({ manifest: made, previous })).toBe(true);
    model.commit(made);
  },
  async recur(model, roll) {
    const ids = [...model.manifests.keys()];
    const previous = model.newestSound();
    const objects = await changed(roll, previous?.objects ?? [], []);
    const made = manifestOf(ids[roll(ids.length)] ?? next("man"), objects);
    expect(await commit({ manifest: made, previous })).toBe(true);
    model.commit(made);
  },
  async repeat(model) {
    const previous = model.newestSound();
    if (!previous) return;
    expect(await commit({ manifest: previous, previous })).toBe(true);
    model.versions.push({ manifestId: previous.id, isDamaged: false });
  },
  async damage(model, roll) {
    const id = model.versions[roll(model.versions.length)]?.manifestId;
    if (!id) return;
    await ledger.update(snapshot).set({ verifyState: "failed" }).where(eq(snapshot.manifestId, id));
    for (const version of model.versions) if (version.manifestId === id) version.isDamaged = true;
  },
  async expire(model, roll) {
    const until = roll(model.versions.length + 1);
    await expireSome(model, (at) => at < until);
  },
  async erase(model, roll) {
    const chosen = roll(model.versions.length + 1);
    await expireSome(model, (at) => at === chosen);
  },
  async repack(model, roll) {
    const before = await listManifests(ledger, { organisationId: ORGANISATION, itemId: ITEM });
    const fresh = next("obj");
    await addObject({ id: fresh });
    const after = before.map((ref) =>
      roll(2) === 0
        ? ref
        : manifestOf(ref.id, [...new Set([fresh, ...ref.objects.filter(() => roll(3) > 0)])]),
    );
    const runId = next("run");
    await addRun({ id: runId, kind: "repack" });
    const hold = { runId, epoch: 1, itemId: ITEM };
    expect(await commitRepack(ledger, { hold, before, after, now: NOW, bytesStored: 1, report: null })).toBe(
      true,
    );
    await ledger.delete(run);
    for (const ref of after) model.manifests.set(ref.id, ref);
  },
};

test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  "whatever happens to an item's versions, each has exactly its objects (seed %i)",
  async (seed) => {
    const roll = dice(seed);
    const model = new Model();
    const names = ["change", "change", "change", ...Object.keys(ACTS)];
    const done: string[] = [];
    for (let at = 0; at < 40; at++) {
      const name = names[roll(names.length)]!;
      done.push(name);
      await ACTS[name]!(model, roll);
      await expectSame(model).catch((cause: unknown) => {
        throw new Error(`after ${done.join(", ")}`, { cause });
      });
    }
    // What is needed is never marked, and all else is.
    await markUnreferenced(ledger, { from: "", to: END_OF_ITEMS }, { now: NOW + 1e12, limit: 10_000 });
    const kept = await ledger
      .select({ id: vaultObject.id })
      .from(vaultObject)
      .where(isNull(vaultObject.markedAt));
    const needed = [...model.manifests.values()].flatMap(({ objects }) => objects);
    expect(kept.map(({ id }) => id).sort()).toEqual([...new Set(needed)].sort());
  },
);

/** The ledger, with another way to run batches. */
function ledgerWith(batch: D1Database["batch"]): LedgerDatabase {
  const client = new Proxy(ledger.$client, {
    get(target, name) {
      if (name === "batch") return batch;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return new Proxy(ledger, {
    get: (target, name) => (name === "$client" ? client : Reflect.get(target, name)),
  });
}

/** The ledger, on which something happens between the plan of a commit and its batch. */
function interrupted(happen: () => Promise<unknown>): LedgerDatabase {
  let batches = 0;
  return ledgerWith(async (statements) => {
    if (++batches === 2) await happen();
    return ledger.$client.batch(statements);
  });
}

test("a commit changes nothing when the list that it was compared with is no longer the newest", async () => {
  for (const id of ["obj_1", "obj_2", "obj_3"]) await addObject({ id });
  const first = manifestOf("man_1", ["obj_1", "obj_2"]);
  expect(await commit({ manifest: first, previous: null })).toBe(true);
  const made = manifestOf("man_3", ["obj_1", "obj_2", "obj_3"]);
  // Without the guard, the new version would count on the span of obj_2, which has ended.
  const late = interrupted(async () => {
    await env.LEDGER_DE.batch([
      env.LEDGER_DE.prepare("UPDATE span_row SET to_seq = 1 WHERE object_id = 'obj_2'"),
      env.LEDGER_DE.prepare(
        `INSERT INTO manifest_row (item, id, seq, root_object, root_offset, root_length, root_method, root_hash,
           entry_count, size_bytes, completeness, created_at)
         SELECT item, 'man_2', 2, root_object, 9, 1, 0, 'hash', 1, 1, '{}', 1 FROM manifest_row`,
      ),
      env.LEDGER_DE.prepare("UPDATE item SET manifest_seq = 2"),
    ]);
  });
  const rows = async () => [
    await columnsOf(objectSpan, "object_id, from_seq, to_seq"),
    await columnsOf(manifest, "id, seq"),
    await columnsOf(snapshot, "id"),
  ];
  expect(await commit({ manifest: made, previous: first }, late)).toBe(false);
  expect(await rows()).toMatchObject([
    [
      ["obj_1", 1, null],
      ["obj_2", 1, 1],
    ],
    [
      ["man_1", 1],
      ["man_2", 2],
    ],
    [[expect.any(String)]],
  ]);
  // The retry compares with the newest list.
  expect(await commit({ manifest: made, previous: first })).toBe(true);
  const found = await findListedManifest(ledger, ORGANISATION, { itemId: ITEM, manifestId: "man_3" });
  expect(found?.objects).toEqual(["obj_1", "obj_2", "obj_3"]);
});

test("a commit changes nothing when a manifest of its content was stored or found damaged meanwhile", async () => {
  for (const id of ["obj_1", "obj_2"]) await addObject({ id });
  const first = manifestOf("man_1", ["obj_1"]);
  expect(await commit({ manifest: first, previous: null })).toBe(true);
  const again = manifestOf("man_1", ["obj_2"]);
  const late = interrupted(() => ledger.update(snapshot).set({ verifyState: "failed" }));
  expect(await commit({ manifest: again, previous: first }, late)).toBe(false);
  expect(await commit({ manifest: again, previous: first })).toBe(true);
  expect(await columnsOf(objectSpan, "object_id, from_seq, to_seq")).toEqual([["obj_2", 2, null]]);
});

/** Rows that an act writes and reads, by the database's own counters. */
async function costOf(
  act: (to: LedgerDatabase) => Promise<unknown>,
): Promise<{ written: number; read: number }> {
  const cost = { written: 0, read: 0 };
  const counting: D1Database["batch"] = async <T>(statements: D1PreparedStatement[]) => {
    const results = await ledger.$client.batch<T>(statements);
    for (const { meta } of results) {
      cost.written += meta.rows_written;
      cost.read += meta.rows_read;
    }
    return results;
  };
  await act(ledgerWith(counting));
  return cost;
}

test("a version costs what has changed, whether the item has 60 objects or 5,000", async () => {
  const costs: { written: number; read: number }[] = [];
  for (const size of [60, 5_000]) {
    await emptyEverything();
    await addItem();
    const files = Array.from({ length: size }, () => next("obj"));
    await env.LEDGER_DE.prepare(
      `INSERT INTO object_row (id, item, run_id, kind, status, created_at)
       SELECT value, ${numberOf("?2")}, 'run', 'stream', 'stored', 1 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(files), ITEM)
      .run();
    const packs = Array.from({ length: 3 }, () => next("obj"));
    for (const id of packs) await addObject({ id });
    let previous: ListedManifest | null = null;
    for (const pack of packs) {
      const made = manifestOf(next("man"), [pack, ...files]);
      const built = previous;
      const cost = await costOf((to) => commit({ manifest: made, previous: built }, to));
      if (pack === packs[2]) costs.push(cost);
      previous = made;
    }
    // The oldest version expires.
    const { id } = (await ledger.select().from(snapshot).orderBy(snapshot.takenAt))[0]!;
    await ledger.delete(snapshot).where(eq(snapshot.id, id));
    const drop = await costOf((to) => dropLooseManifests(to, { from: "", to: END_OF_ITEMS }));
    costs.push(drop);
    expect(await columnsOf(manifest, "seq")).toEqual([[2], [3]]);
  }
  const [few, fewDropped, many, manyDropped] = costs;
  expect(few!.written).toBeLessThan(40);
  expect(many!.written).toBe(few!.written);
  expect(manyDropped!.written).toBe(fewDropped!.written);
  expect(many!.read).toBeLessThan(few!.read + 20);
  expect(manyDropped!.read).toBeLessThan(fewDropped!.read + 20);
});
