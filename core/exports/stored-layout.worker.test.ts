import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { concatBytes, fromUtf8, randomBytes, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { openZip, storeLayout } from "./stored-layout.ts";
import { zipRange } from "./zip/layout.ts";

const scope = { organisationId: "org_layout", itemId: "itm_a" };
const TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ id: at, title: "A card" })));

test("texts of a ZIP are stored deflated, and every range of the archive has the same bytes", async () => {
  const noise = randomBytes(5_000);
  const files: ExportFile[] = [
    { path: "README.txt", source: "bytes", bytes: utf8("short") },
    { path: "viewer/0/1.js", source: "bytes", bytes: utf8(TEXT) },
    { path: "noise.bin", source: "bytes", bytes: noise },
  ];
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  const deps = {
    ...{ bucket: env.VAULT_US, registry: memoryRegistry(), organisationKey, ids: randomIds },
    clock: { now: () => 0 },
  };
  // No file is an entry of the version, so the version is never read.
  const version = {} as SnapshotReader;
  const { object, totalBytes } = await storeLayout(deps, version, {
    ...scope,
    ...{
      runId: "run_a",
      mtime: 0,
      files: (async function* () {
        yield* files;
      })(),
    },
  });
  expect(object.sizeBytes).toBeLessThan(TEXT.length / 2);
  const { layout, read } = await openZip(deps, version, { ...scope, object });
  const bytesOf = async (from: number, to: number) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of zipRange(layout, { from, to }, read)) chunks.push(chunk.slice());
    return concatBytes(...chunks);
  };
  const whole = await bytesOf(0, totalBytes);
  expect(whole.length).toBe(totalBytes);
  const found = unzipSync(whole);
  expect(fromUtf8(found["viewer/0/1.js"]!)).toBe(TEXT);
  expect(fromUtf8(found["README.txt"]!)).toBe("short");
  expect(Buffer.compare(found["noise.bin"]!, noise)).toBe(0);
  for (const [from, to] of [
    [0, 40],
    [100, 900],
    [totalBytes - 300, totalBytes],
  ] as const)
    expect(Buffer.compare(await bytesOf(from, to), whole.subarray(from, to))).toBe(0);
});
