import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  PutOrder,
  StorageConnector,
  StorageSession,
  StoredFile,
} from "#connectors/contract/storage-connector.ts";
import { storages } from "#connectors/registry/storages.generated.ts";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type OutsideDrive, openDrive } from "#tests/harness/drives.ts";

const SIZE = 20 * 1024 * 1024 + 17;
const NORA = "nora-lindqvist";
const address = { path: "GitHub/api/one.zip", key: "snp_1" };

const KINDS = [
  { folder: "dropbox", id: "dropbox", part: "upload_session/append" },
  { folder: "google-drive", id: "google_drive", part: "upload_id=" },
] as const;

function storageOf(id: string): StorageConnector {
  const found = storages.find(({ connector }) => connector.descriptor.id === id);
  if (!found) throw new Error(`there is no storage ${id}`);
  return found.connector;
}

async function sessionOf(drive: OutsideDrive): Promise<StorageSession> {
  const { token } = await drive.control<{ token: string }>("token", { login: NORA });
  return {
    config: drive.vars,
    fetch: (url, init) => fetch(url, init),
    accessToken: async () => token,
    spend: async () => {},
    report: async () => {},
    clock: { now: () => Date.now() },
    sleep: async () => {},
    details: {},
    accountName: "nora@meridian.example",
    keys: {},
  };
}

/** One slice, which ends as in the engine: with the file, or at the first checkpoint. */
async function putSlice(
  connector: StorageConnector,
  session: StorageSession,
  order: PutOrder,
): Promise<StoredFile | { cursor: Json }> {
  const put = connector.put(session, order);
  for (;;) {
    const step = await put.next();
    if (step.done) return step.value;
    if (step.value.type === "checkpoint") return { cursor: step.value.cursor };
  }
}

/** Byte `i` of the file, which is never in memory as a whole. */
const byteAt = (i: number) => (i * 31 + (i >> 13)) & 0xff;

async function* read({ offset, length }: { offset: number; length: number }) {
  for (let at = offset; at < offset + length; at += 65_536) {
    const size = Math.min(65_536, offset + length - at);
    yield Uint8Array.from({ length: size }, (_, i) => byteAt(at + i));
  }
}

async function hashOfFile(): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of read({ offset: 0, length: SIZE })) hash.update(chunk);
  return hash.digest("hex");
}

for (const { folder, id, part } of KINDS) {
  test(`in workerd a copy to ${id} is complete despite failed parts, lost responses and ended slices`, async () => {
    const drive = await openDrive(folder);
    onTestFinished(() => drive.close());
    const connector = storageOf(id);
    const session = await sessionOf(drive);
    const actions: FaultOrder["action"][] = [
      { kind: "answer", status: 503 },
      { kind: "drop", handled: true },
      { kind: "drop" },
    ];
    let cursor: Json | null = null;
    let stored: StoredFile | null = null;
    while (stored === null) {
      const action = actions.shift();
      if (action) await drive.fault({ match: { path: part }, action });
      const order = { ...address, sizeBytes: SIZE, mediaType: "application/zip", cursor, read };
      const slice = await putSlice(connector, session, order);
      if ("mark" in slice) stored = slice;
      else cursor = slice.cursor;
    }
    expect(actions).toEqual([]);
    const expected = { path: address.path, sizeBytes: SIZE, sha256: await hashOfFile() };
    expect(await drive.files(NORA)).toEqual([expected]);
    expect(await connector.find(session, stored)).toEqual(stored);
    expect(await connector.remove(session, stored)).toBe("removed");
    expect(await drive.files(NORA)).toEqual([]);
    expect(await drive.refusals()).toEqual([]);
  });

  test(`in workerd a revoked grant at ${id} is unauthorized`, async () => {
    const drive = await openDrive(folder);
    onTestFinished(() => drive.close());
    const session = await sessionOf(drive);
    await drive.control("token/revoke", { login: NORA });
    const found = storageOf(id).find(session, address);
    const error = await found.catch((cause: unknown) => cause);
    expect(error instanceof ConnectorError && error.kind).toBe("unauthorized");
  });
}
