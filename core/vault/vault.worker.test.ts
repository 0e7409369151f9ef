import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import {
  beginDraft,
  openObjectReader,
  openObjectWriter,
  openSnapshot,
  type VaultDeps,
  verifySnapshot,
} from "./index.ts";

const MIB = 1_048_576;

function setUp() {
  const registry = memoryRegistry();
  const organisationKey = { version: 1, bytes: randomBytes(32) };
  const deps: VaultDeps = {
    bucket: env.VAULT_US,
    registry,
    organisationKey,
    ids: randomIds,
  };
  return { deps, registry, scope: { organisationId: randomIds.next("organisation"), itemId: "itm_a" } };
}

test("a stream of several parts is stored in R2 and read back, whole and by range", async () => {
  const { deps, scope } = setUp();
  const writer = await openObjectWriter(deps, { scope, kind: "stream", runId: "run_a" });
  const chunk = new Uint8Array(700_001);
  for (let i = 0; i < 40; i++) await writer.write(chunk.fill(i));
  const object = await writer.close();
  expect((await env.VAULT_US.head(object.key))?.size).toBe(object.storedBytes);
  const reader = openObjectReader(deps, { scope, ...object });
  let offset = 0;
  for await (const bytes of reader.read()) {
    expect(bytes[0]).toBe(Math.floor(offset / chunk.length));
    offset += bytes.length;
  }
  expect(offset).toBe(object.sizeBytes);
  const parts: Uint8Array[] = [];
  for await (const bytes of reader.read({ offset: 20 * chunk.length - 1, length: 2 }))
    parts.push(bytes.slice());
  expect(parts.flatMap((part) => [...part])).toEqual([19, 20]);
});

test("an aborted writer leaves no upload and no object", async () => {
  const { deps, scope, registry } = setUp();
  const writer = await openObjectWriter(deps, { scope, kind: "stream", runId: "run_a" });
  await writer.write(new Uint8Array(18 * MIB));
  await writer.abort();
  expect((await env.VAULT_US.list({ prefix: `${scope.organisationId}/` })).objects).toEqual([]);
  expect(registry.reserved.size).toBe(0);
});

test("a snapshot in R2 is written, resumed, read and verified", async () => {
  const { deps, scope } = setUp();
  const order = { scope, runId: "run_a", previous: null };
  const interrupted = await beginDraft(deps, { ...order, resume: null });
  for (let i = 0; i < 1_500; i++)
    await interrupted.addRecord({ path: `issues/${i}`, kind: "issue", value: { i } });
  await interrupted.addStream({ path: "pack", kind: "git-pack" }, async (sink) =>
    sink.write(new Uint8Array(9 * MIB)),
  );
  const cursor = await interrupted.checkpoint();
  const draft = await beginDraft(deps, { ...order, resume: cursor });
  await draft.addRecord({ path: "issues/7", kind: "issue", value: { i: "seven" } });
  const { manifest } = await draft.finish({ apiVersion: "1", account: "octo" });
  await draft.discardTemporary();
  const snapshot = await openSnapshot(deps, { scope, manifest, companions: { find: async () => null } });
  expect(manifest.entryCount).toBe(1_501);
  expect(await snapshot.readRecord("issues/7")).toEqual({ i: "seven" });
  expect(await snapshot.readRecord("issues/1499")).toEqual({ i: 1_499 });
  const events: string[] = [];
  for await (const { type } of verifySnapshot(deps, { scope, manifest, cursor: null })) events.push(type);
  expect(new Set(events)).toEqual(new Set(["progress", "checkpoint"]));
  const kept = (await env.VAULT_US.list({ prefix: `${scope.organisationId}/` })).objects;
  expect(kept.map(({ key }) => key.split("/")[2]).sort()).toEqual(manifest.objects);
});
