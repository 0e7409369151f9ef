import { expect, test } from "vitest";
import { concatBytes } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import {
  isDelta,
  loadPackState,
  newPackState,
  type PackState,
  releaseWorkTables,
  savePackState,
} from "./pack-state.ts";

const MIB = 1024 * 1024;
const ORIGIN = { objectFormat: "sha1" as const, packSize: 5_000, mostReferenceBytes: 8 * MIB };

/** A state in the middle of a pack of six objects, four of them read. */
function someState(references = 3): PackState {
  const state = newPackState("sha1", ORIGIN.packSize, 6, ORIGIN.mostReferenceBytes);
  Object.assign(state, { scanned: 4, position: 900, resolved: 2, expandedBytes: 12_345, malformed: ["bad"] });
  for (let at = 0; at < 4; at++) {
    state.offsets[at] = 12 + at * 100;
    state.crcs[at] = 0xfffffff0 + at;
    state.bases[at] = at - 1;
    state.kinds[at] = at + 1;
    state.types[at] = 4 - at;
    state.oids.fill(at + 1, at * 20, at * 20 + 20);
  }
  const name = new DataView(new ArrayBuffer(20));
  for (let at = 0; at < references; at++) {
    name.setUint32(0, at * 11);
    name.setUint32(4, at + 1);
    state.references.add(new Uint8Array(name.buffer), 0);
  }
  state.lfs.set("a", { oid: "a", sizeBytes: 7 });
  state.outsideBases.set(3, "base");
  return state;
}

const saved = (state: PackState) => concatBytes(...[...savePackState(state)].map((piece) => piece.slice()));
const referencesOf = (state: PackState) => {
  const found: string[] = [];
  state.references.forEach((high, low) => void found.push(`${high}:${low}`));
  return found.sort();
};

test.each([3, 32 * 1024, 70_000])(
  "a state with %i references is the same after a save",
  async (references) => {
    const state = someState(references);
    const bytes = saved(state);
    for (const size of [bytes.length, 1_000_003, ...(references === 3 ? [1, 7] : [])]) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size)
        pieces.push(bytes.subarray(at, at + size), new Uint8Array(0));
      const loaded = await loadPackState(pieces, ORIGIN);
      expect(referencesOf(loaded).join() === referencesOf(state).join()).toBe(true);
      const { references: _, ...rest } = state;
      expect(loaded).toMatchObject({ ...rest, isScanBroken: true });
    }
  },
);

test("a pack below four gigabytes has offsets of four bytes, a larger one of eight", () => {
  expect(newPackState("sha1", 2 ** 32 - 1, 2, MIB).offsets).toBeInstanceOf(Uint32Array);
  expect(newPackState("sha1", 2 ** 32, 2, MIB).offsets).toBeInstanceOf(Float64Array);
});

test("a new state knows nothing and begins behind the pack's header", () => {
  const { references, ...state } = newPackState("sha256", 900, 2, MIB);
  expect(references.count()).toBe(0);
  expect(state).toEqual({
    objectFormat: "sha256",
    packSize: 900,
    count: 2,
    scanned: 0,
    position: 12,
    resolved: 0,
    offsets: new Uint32Array(2),
    crcs: new Uint32Array(2),
    bases: Int32Array.of(-1, -1),
    kinds: new Uint8Array(2),
    types: new Uint8Array(2),
    oids: new Uint8Array(64),
    lfs: new Map(),
    outsideBases: new Map(),
    malformed: [],
    expandedBytes: 0,
    isScanBroken: false,
  });
});

test("a state that is cut, goes on, or has another form is refused with one kind of error", async () => {
  const bytes = saved(someState());
  const load = (given: Uint8Array) => loadPackState([given], ORIGIN);
  for (const length of [0, 5, 11, 12, 60, bytes.length - 1])
    await expect(load(bytes.subarray(0, length))).rejects.toMatchObject({ code: "malformed" });
  await expect(load(concatBytes(bytes, Uint8Array.of(0)))).rejects.toMatchObject({
    message: "The saved state of the index is damaged",
  });
  const changed = (at: number, value: number) => {
    const bad = bytes.slice();
    bad[at] = value;
    return bad;
  };
  await expect(load(changed(7, 0x31))).rejects.toMatchObject({
    message: "The saved state belongs to another pack",
  });
  await expect(load(changed(11, 0x70))).rejects.toMatchObject({
    message: "The saved state belongs to another pack",
  });
  await expect(load(changed(12, 0x21))).rejects.toMatchObject({
    code: "malformed",
    cause: expect.any(SyntaxError),
  });
  await expect(load(changed(0, 0xff))).rejects.toBeInstanceOf(GitPackError);
});

test("a state of another pack is refused", async () => {
  const state = someState();
  for (const other of [{ objectFormat: "sha256" as const }, { packSize: 5_001 }])
    await expect(loadPackState([saved(state)], { ...ORIGIN, ...other })).rejects.toThrow(
      "belongs to another pack",
    );
  for (const wrong of [{ count: 3 }, { count: 5_001 }])
    await expect(loadPackState([saved({ ...state, ...wrong })], ORIGIN)).rejects.toThrow(
      "belongs to another pack",
    );
  await expect(loadPackState([saved({ ...state, count: 4 })], ORIGIN)).resolves.toMatchObject({ count: 4 });
});

test("an error of the source passes unchanged, and the source is released", async () => {
  let isReleased = false;
  async function* failing() {
    try {
      yield Buffer.from("HFPI");
      throw new Error("no vault");
    } finally {
      isReleased = true;
    }
  }
  await expect(loadPackState(failing(), ORIGIN)).rejects.toThrow("no vault");
  expect(isReleased).toBe(true);
  let isEnded = false;
  async function* another() {
    try {
      yield Buffer.from("something else entirely");
      yield Buffer.from("more");
    } finally {
      isEnded = true;
    }
  }
  await expect(loadPackState(another(), ORIGIN)).rejects.toThrow("another pack");
  expect(isEnded).toBe(true);
});

test("the tables of the work are released, the names stay", () => {
  const state = someState();
  releaseWorkTables(state);
  expect([state.bases.length, state.kinds.length, state.oids.length]).toEqual([0, 0, 120]);
  expect([1, 2, 3, 4, 6, 7, undefined].map(isDelta)).toEqual([false, false, false, false, true, true, false]);
});
