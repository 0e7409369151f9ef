import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { concatBytes, fromUtf8, randomBytes, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { type SnapshotReader, writeObject } from "#core/vault/index.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { type OpenedZip, openZip, storeLayout } from "./stored-layout.ts";
import { type ZipRange, zipRange } from "./zip/layout.ts";

const scope = { organisationId: "org_layout", itemId: "itm_a" };
/** No file is an entry of the version, so the version is never read. */
const version = {} as SnapshotReader;
const MANY = 4_321;

function openVault() {
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  return { bucket: memoryBucket(), registry: memoryRegistry(), organisationKey, ids: randomIds };
}

async function* manyFiles(): AsyncGenerator<ExportFile, void> {
  for (let at = 0; at < MANY; at++)
    yield { path: `metadata/cards/${at}/card.json`, source: "bytes", bytes: utf8(`{"id":${at}}`) };
  yield { path: "metadata/cards/7/CARD.json", source: "bytes", bytes: utf8("a name that differs by case") };
}

async function bytesOf({ layout, read }: OpenedZip, range: ZipRange): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipRange(layout, range, read)) chunks.push(chunk.slice());
  return concatBytes(...chunks);
}

/** A ZIP that counts the files of which it has the facts in memory at once, and the parts that it read. */
function counting(zip: OpenedZip) {
  const seen = { most: 0, parts: 0 };
  const entriesOf: OpenedZip["layout"]["entriesOf"] = async (part) => {
    const entries = await zip.layout.entriesOf(part);
    seen.parts += 1;
    seen.most = Math.max(seen.most, entries.length);
    return entries;
  };
  return { seen, zip: { ...zip, layout: { ...zip.layout, entriesOf } } };
}

test("the facts of a ZIP's files are read section by section, and every range has the same bytes", async () => {
  const deps = openVault();
  const files = manyFiles();
  const { object, totalBytes } = await storeLayout(deps, version, { ...scope, runId: "r", mtime: 0, files });
  const opened = await openZip(deps, version, { ...scope, object });
  expect(opened.layout).toMatchObject({ count: MANY + 1, totalBytes });
  expect(opened.layout.parts).toHaveLength(5);
  const { seen, zip } = counting(opened);
  const whole = await bytesOf(zip, { from: 0, to: totalBytes });
  expect(seen.most).toBeLessThanOrEqual(1_000);
  const found = unzipSync(whole);
  expect(Object.keys(found)).toHaveLength(MANY + 1);
  for (const at of [0, 999, 1_000, MANY - 1])
    expect(fromUtf8(found[`metadata/cards/${at}/card.json`]!)).toBe(`{"id":${at}}`);
  const edges = opened.layout.parts.flatMap(({ offset, centralOffset }) => [offset, centralOffset]);
  for (const edge of [...edges, opened.layout.centralStart, opened.layout.centralEnd, totalBytes])
    for (const [from, to] of [
      [edge - 70, edge],
      [edge, edge + 70],
      [edge - 1, edge + 1],
      [edge, edge],
    ] as const) {
      if (from < 0 || to > totalBytes) continue;
      const part = await bytesOf(opened, { from, to });
      expect(Buffer.compare(part, whole.subarray(from, to)), `${from}-${to}`).toBe(0);
    }
  seen.parts = 0;
  await bytesOf(zip, { from: 10, to: 20 });
  expect(seen.parts).toBe(1);
});

test("a layout as earlier releases stored it still opens", async () => {
  const deps = openVault();
  const file = (p: string, b: string) => ({
    p,
    m: 0,
    c: 0,
    z: b.length,
    s: b.length,
    b: toBase64Url(utf8(b)),
  });
  const old = { version: 1, mtime: 0, files: [file("a.txt", "one"), file("b.txt", "another")] };
  const target = { scope, kind: "layout" as const, runId: "r" };
  const object = await writeObject(deps, target, utf8(JSON.stringify(old)));
  const zip = await openZip(deps, version, { ...scope, object });
  const whole = await bytesOf(zip, { from: 0, to: zip.layout.totalBytes });
  expect(fromUtf8(unzipSync(whole)["b.txt"]!)).toBe("another");
  expect(zip.layout.count).toBe(2);
});

test("a ZIP without files is one too, and a version that lacks a file leaves no layout", async () => {
  const deps = openVault();
  const none = (async function* (): AsyncGenerator<ExportFile, void> {})();
  const { object } = await storeLayout(deps, version, { ...scope, runId: "r", mtime: 0, files: none });
  const zip = await openZip(deps, version, { ...scope, object });
  expect(Object.keys(unzipSync(await bytesOf(zip, { from: 0, to: zip.layout.totalBytes })))).toEqual([]);
  const kept = deps.bucket.objects.size;
  const lacking = { ...version, locate: async () => null } as SnapshotReader;
  const files = (async function* (): AsyncGenerator<ExportFile, void> {
    yield* manyFiles();
    yield { path: "gone.bin", source: "entry", entry: "gone" };
  })();
  const stored = storeLayout(deps, lacking, { ...scope, runId: "r", mtime: 0, files });
  await expect(stored).rejects.toMatchObject({ code: "err.snapshot.not.restorable" });
  expect(deps.bucket.objects.size).toBe(kept);
});
