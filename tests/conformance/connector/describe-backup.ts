import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { type MemorySnapshot, takeSnapshot } from "../memory-snapshot.ts";
import { treesOf } from "../trees-of.ts";
import { hashes, isContent, joined, kindsOf, type Suite, takeUntil } from "./suite.ts";

/** Taking versions: the same content twice, small changes, and backups in slices. */
export function describeBackup(name: string, suite: Suite): void {
  const { connector, world, session } = suite;

  test(`${name}: everything in a version has labels, and its counts equal those of the platform`, async () => {
    const snapshot = await suite.backUp(await suite.getItem(world().item));
    const kinds = kindsOf(snapshot);
    expect(kinds[world().kind]).toBe(1);
    for (const { info } of snapshot.entries.values()) {
      const isPart = world().partKinds?.includes(info.kind);
      if (isContent(info) && !isPart) expect(connector.entryKinds, info.path).toHaveProperty(info.kind);
    }
    for (const { one, many } of Object.values(connector.entryKinds)) {
      expect([one.trim(), many.trim()]).not.toContain("");
    }
    expect(snapshot.skipped).toEqual([]);
    const counted = Object.entries(snapshot.reported).filter(([kind]) => kind in connector.entryKinds);
    expect(counted.length).toBeGreaterThan(0);
    for (const [kind, count] of counted) expect([kind, kinds[kind] ?? 0]).toEqual([kind, count]);
    for (const { phase, done, total } of snapshot.progress) {
      expect(phase).toMatch(/^\p{Lu}/u);
      if (total !== null) expect(done).toBeLessThanOrEqual(total);
    }
  });

  test(`${name}: two backups of the same item give equal entries in equal order with equal bytes`, async () => {
    const item = await suite.getItem(world().item);
    const [first, second] = [await suite.backUp(item), await suite.backUp(item)];
    expect(first.entries.size).toBeGreaterThan(0);
    expect(hashes(second, ({ kind }) => kind !== "state")).toEqual(
      hashes(first, ({ kind }) => kind !== "state"),
    );
    expect([...second.entries.keys()]).toEqual([...first.entries.keys()]);
  });

  test(`${name}: a second backup of an unchanged item writes no stream and equal records, with no more requests`, async () => {
    const item = await suite.getItem(world().item);
    const [by, again] = [session(), session()];
    const first = await suite.backUp(item, null, by);
    const second = await suite.backUp(item, first, again);
    expect(second.newStreams).toEqual([]);
    expect(hashes(second)).toEqual(hashes(first));
    expect(second.reported).toEqual(first.reported);
    expect(again.requests.length).toBeLessThanOrEqual(by.requests.length);
  });

  test(`${name}: a day later an unchanged item gives equal content, whatever was left out of the reading`, async () => {
    const by = session();
    const item = await suite.getItem(world().item);
    const takenAt = by.clock.now();
    const first = await suite.backUp(item, null, by);
    const later = { ...session(), clock: { now: () => takenAt + DAY_MS } };
    const order = { item, previous: first, previousAt: takenAt, cursor: null };
    const second = await takeSnapshot(connector.backUp(later, order), first);
    expect(hashes(second, isContent)).toEqual(hashes(first, isContent));
    expect(second.skipped).toEqual(first.skipped);
    expect(second.reported).toEqual(first.reported);
  });

  test(`${name}: what a version may hold that is older has a period, and is not older than that`, async () => {
    const { kind, externalId } = await suite.getItem(world().item);
    const now = session().clock.now();
    for (let hour = 0; hour < 24 * 8; hour += 7) {
      const at = now + hour * HOUR_MS;
      for (const { what, mostDays, notBefore } of connector.undated?.({ kind, externalId, takenAt: at }) ??
        []) {
        expect(what).toMatch(/^\p{Lu}/u);
        expect(notBefore).toBeLessThanOrEqual(at);
        expect(at - notBefore).toBeLessThan(mostDays * DAY_MS);
      }
    }
  });

  test(`${name}: after any changes the next version equals a first one, and the previous one is unchanged`, async () => {
    let previous = await suite.backUp(await suite.getItem(world().item));
    for (let round = 0; round < 3; round++) {
      const before = hashes(previous);
      await world().changeItem(world().item);
      const item = await suite.getItem(world().item);
      const next = await suite.backUp(item, previous);
      expect(hashes(next)).not.toEqual(before);
      expect(hashes(previous)).toEqual(before);
      const fresh = await suite.backUp(item);
      expect(hashes(next, isContent)).toEqual(hashes(fresh, isContent));
      expect(await statesOf(suite, next)).toEqual(await statesOf(suite, fresh));
      previous = next;
    }
  });

  test(`${name}: a backup resumed from any checkpoint gives the same version, first or later`, async () => {
    const first = await suite.backUp(await suite.getItem(world().item));
    await world().changeItem(world().item);
    const item = await suite.getItem(world().item);
    for (const previous of [null, first]) {
      const whole = await suite.backUp(item, previous);
      const run = (cursor: Parameters<typeof connector.backUp>[1]["cursor"]) =>
        connector.backUp(session(), { item, previous, cursor });
      for (let cut = 0; cut < whole.checkpoints.length; cut++) {
        const { begun, cursor } = await takeUntil(run(null), cut);
        const rest = await takeSnapshot(joined(begun, run(cursor)), previous);
        expect(hashes(rest, isContent), `cut at ${cut}`).toEqual(hashes(whole, isContent));
        expect(rest.reported).toEqual(whole.reported);
        expect(rest.skipped).toEqual(whole.skipped);
        expect(await statesOf(suite, rest)).toEqual(await statesOf(suite, whole));
      }
    }
  });

  test(`${name}: a cursor of another release is refused before any work`, async () => {
    const item = await suite.getItem(world().item);
    const { checkpoints } = await suite.backUp(item);
    const own = checkpoints
      .slice(0, 1)
      .map((cursor) => ({ ...(cursor as { [key: string]: Json }), version: 99 }));
    for (const cursor of own.length === 0 ? [] : [...own, { x: 1 }, [], "cursor", 7]) {
      const run = takeSnapshot(connector.backUp(session(), { item, previous: null, cursor }), null);
      await expect(run, JSON.stringify(cursor)).rejects.toThrow(UnreadableCursorError);
    }
  });

  test(`${name}: a failing sink ends the backup with its own error`, async () => {
    const item = await suite.getItem(world().item);
    const run = async () => {
      for await (const event of connector.backUp(session(), { item, previous: null, cursor: null })) {
        if (event.type !== "stream") continue;
        const write = () => Promise.reject(new Error("the disk is full"));
        await event.write({ write });
      }
    };
    await expect(run()).rejects.toThrow("the disk is full");
  });
}

/** The commit of every branch and tag of every file tree. Equal for equal content, however it is packed. */
async function statesOf({ connector }: Suite, snapshot: MemorySnapshot): Promise<string[]> {
  const trees = await treesOf(connector, snapshot);
  return trees.flatMap(({ id, tree }) => tree.refs.map((ref) => `${id} ${ref.name} ${ref.id}`));
}
