import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { concatBytes, fromHex, randomBytes, toBase64Url, toHex, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { createCipher, FRAME_BYTES, plainSize, sealFrame, storedSize } from "./format.ts";
import {
  beginDraft,
  createOrganisationKey,
  type ObjectKind,
  openSecret,
  openSnapshot,
  parseMasterKeys,
  readObject,
  rewrap,
  unwrapOrganisationKey,
  wrapOrganisationKey,
} from "./index.ts";

type Vector = {
  name: string;
  organisationKey: string;
  keyVersion: number;
  organisationId: string;
  itemId: string;
  objectId: string;
  kind: ObjectKind;
  salt: string;
  /** The plain bytes: a string, or one byte repeated. */
  text?: string;
  byte?: number;
  sizeBytes: number;
  commitment: string;
  storedBytes: number;
  storedHash: string;
  stored?: string;
};

const here = new URL(".", import.meta.url).pathname;
const vectorsPath = join(here, "test-vectors.json");
const published = JSON.parse(readFileSync(vectorsPath, "utf8")) as {
  masterKeys: string;
  keys: {
    name: string;
    organisationId: string;
    version: number;
    masterVersion: number;
    organisationKey: string;
    wrapped: string;
  }[];
  secrets: {
    name: string;
    purpose: string;
    ownerId: string;
    keyVersion: number;
    organisationKey: string;
    plain: string;
    sealed: string;
  }[];
  objects: Vector[];
};
const vectors = published.objects;
const folder = mkdtempSync(join(tmpdir(), "holdfast-format-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plainOf = ({ text, byte, sizeBytes }: Vector) =>
  text === undefined ? new Uint8Array(sizeBytes).fill(byte!) : utf8(text);

async function storedOf(vector: Vector): Promise<Uint8Array> {
  const { organisationId, itemId, objectId: id, kind } = vector;
  const key = { version: vector.keyVersion, bytes: fromHex(vector.organisationKey) };
  const cipher = await createCipher(
    key,
    { scope: { organisationId, itemId }, id, kind },
    fromHex(vector.salt),
  );
  const plain = plainOf(vector);
  const parts: Uint8Array[] = [cipher.header];
  for (let index = 0; index === 0 || index * FRAME_BYTES < plain.length; index++) {
    const bytes = plain.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES);
    const isLast = (index + 1) * FRAME_BYTES >= plain.length;
    parts.push(await sealFrame(cipher.key, { index, isLast, bytes }));
  }
  return concatBytes(...parts);
}

test("this code reads and writes the published vectors", async () => {
  expect(vectors.map(({ name }) => name)).toEqual(["empty", "small", "one full frame", "three frames"]);
  for (const vector of vectors) {
    const stored = await storedOf(vector);
    expect(stored.length).toBe(vector.storedBytes);
    expect(createHash("sha256").update(stored).digest("hex")).toBe(vector.storedHash);
    expect(toHex(stored.subarray(40, 72))).toBe(vector.commitment);
    if (vector.stored) expect(toHex(stored)).toBe(vector.stored);
    const bucket = memoryBucket();
    const { organisationId, itemId, objectId: id, kind } = vector;
    bucket.objects.set(`${organisationId}/${itemId}/${id}`, stored);
    const organisationKey = { version: vector.keyVersion, bytes: fromHex(vector.organisationKey) };
    const plain = await readObject(
      { bucket, organisationKey },
      { scope: { organisationId, itemId }, id, kind },
    );
    expect(Buffer.compare(plain, plainOf(vector))).toBe(0);
  }
});

test("the published keys and secrets open only with their own versions and names", async () => {
  const ring = parseMasterKeys(published.masterKeys);
  expect(published.keys.map(({ masterVersion }) => masterVersion)).toEqual([1, 2, 2]);
  for (const { organisationId, organisationKey, name: _, ...wrappedKey } of published.keys) {
    const key = await unwrapOrganisationKey(ring, { organisationId, wrappedKey });
    expect(key).toEqual({ version: wrappedKey.version, bytes: fromHex(organisationKey) });
    const foreign = { ...wrappedKey, version: wrappedKey.version + 1 };
    await expect(unwrapOrganisationKey(ring, { organisationId, wrappedKey: foreign })).rejects.toThrow();
  }
  for (const { purpose, ownerId, keyVersion, organisationKey, plain, sealed } of published.secrets) {
    const key = { version: keyVersion, bytes: fromHex(organisationKey) };
    expect(await openSecret(key, { purpose, ownerId }, sealed)).toBe(plain);
    await expect(openSecret(key, { purpose: "another", ownerId }, sealed)).rejects.toThrow();
  }
});

test("plain and stored lengths determine each other", () => {
  for (const size of [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 5 * FRAME_BYTES, 2 ** 42 + 17]) {
    expect(plainSize(storedSize(size))).toBe(size);
  }
  for (const length of [0, 71, 72, 87, 72 + FRAME_BYTES + 17, 72 + FRAME_BYTES + 32]) {
    expect(() => plainSize(length)).toThrow("no object");
  }
});

/** Returns why the second reader cannot run here, or null. */
function whyNoPython(): string | null {
  const { error, status } = spawnSync("python3", ["-c", "import cryptography"]);
  if (error) return "python3 is not installed";
  return status === 0 ? null : "the Python package cryptography is not installed";
}

test("the second reader, written from FORMAT.md, agrees on the vectors", (context) => {
  const reason = whyNoPython();
  if (reason) return context.skip(reason);
  const output = execFileSync("python3", [join(here, "reader.py"), "vectors", vectorsPath]).toString();
  const names = [...published.keys, ...published.secrets, ...vectors].map(({ name }) => name);
  expect(output.trim().split("\n")).toEqual(names.map((name) => `${name}: agrees`));
});

test("the second reader finds every entry of a snapshot that this code wrote", async (context) => {
  const reason = whyNoPython();
  if (reason) return context.skip(reason);
  const bucket = memoryBucket();
  // The key as stored after a rotation of its master key: the reader opens it with the new master key alone.
  const rings = ["1", "2"].map((version) => `${version}:${toBase64Url(randomBytes(32))}`);
  const first = await wrapOrganisationKey(parseMasterKeys(rings[0]!), {
    organisationId: "org_x",
    key: { ...createOrganisationKey(), version: 3 },
  });
  const wrappedKey = await rewrap(parseMasterKeys(rings.join(",")), {
    organisationId: "org_x",
    wrappedKey: first,
  });
  const unwrapped = { organisationId: "org_x", wrappedKey };
  const organisationKey = await unwrapOrganisationKey(parseMasterKeys(rings[1]!), unwrapped);
  const keyOf = [rings[1]!, "org_x", wrappedKey.wrapped, "3", "2"];
  const opened = execFileSync("python3", [join(here, "reader.py"), "key", ...keyOf])
    .toString()
    .trim();
  expect(opened).toBe(toHex(organisationKey.bytes));
  const deps = {
    bucket,
    registry: memoryRegistry(),
    organisationKey,
    ids: randomIds,
    clock: { now: () => 0 },
  };
  const scope = { organisationId: "org_x", itemId: "itm_x" };
  const draft = await beginDraft(deps, { scope, runId: "run_x", previous: null, resume: null });
  for (let i = 0; i < 3_000; i++) {
    const value = { number: i, text: `Größe \u{1f600} "${i}"`, tags: [null, true, i / 8] };
    await draft.addRecord({ path: `issues/${i}`, kind: "issue", title: `№ ${i}`, parent: "issues", value });
  }
  await draft.addStream({ path: "empty", kind: "file" }, async () => {});
  await draft.addStream({ path: "large \u{1f600}", kind: "file" }, async (sink) => {
    for (let i = 0; i < 9; i++) await sink.write(randomBytes(2 ** 16).subarray(i));
    await sink.write(new Uint8Array(9 * FRAME_BYTES));
  });
  draft.skipped({ path: "x", kind: "issue", reason: "gone" });
  const { manifest } = await draft.finish({ apiVersion: "1", account: "octo" });
  for (const [key, bytes] of bucket.objects) writeFileSync(join(folder, key.split("/")[2]!), bytes);
  const names = [opened, "3", scope.organisationId, scope.itemId, folder, manifest.id];
  const output = execFileSync("python3", [join(here, "reader.py"), "vault", ...names], {
    maxBuffer: 2 ** 26,
  });
  const lines = output
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const snapshot = await openSnapshot(deps, { scope, manifest, companions: { find: async () => null } });
  const expected: unknown[] = [];
  for await (const { path, type, sizeBytes, hash } of snapshot.list())
    expected.push([path, type, sizeBytes, hash]);
  expect(expected).toHaveLength(3_002);
  const summary = { manifest: manifest.id, entries: 3_002, completeness: snapshot.completeness() };
  expect(lines).toEqual([...expected, summary]);
});
