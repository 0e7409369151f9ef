import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { misfitsOf } from "./expect-fits.ts";
import { FOLDER_TYPE } from "./state.ts";
import { driveForTest } from "./test-world.ts";

const QUANTUM = 256 * 1024;
const FILES = "/drive/v3/files";

type World = Awaited<ReturnType<typeof driveForTest>>;

async function make(drive: World, metadata: object): Promise<string> {
  return String((await drive.ask("POST", FILES, { body: metadata })).json.id);
}

function find(drive: World, q: string, more = "") {
  return drive.ask("GET", `${FILES}?${new URLSearchParams({ q })}${more}`);
}

function reasonOf({ json }: { json: Record<string, unknown> }): string | undefined {
  return (json.error as { errors: { reason: string }[] } | undefined)?.errors[0]?.reason;
}

async function readBack(drive: World, id: unknown): Promise<Buffer> {
  const answer = await fetch(`${drive.apiUrl}${FILES}/${id}?alt=media`, {
    headers: { Authorization: `Bearer ${drive.tokenOf()}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

test("two files of one name in one folder have different ids", async () => {
  const drive = await driveForTest();
  const folder = await make(drive, { name: "Holdfast", mimeType: FOLDER_TYPE });
  const one = await make(drive, { name: "a.zip", parents: [folder] });
  const other = await make(drive, { name: "a.zip", parents: [folder] });
  expect(one).not.toBe(other);
  const found = await find(drive, `'${folder}' in parents and name = 'A.zip' and trashed = false`);
  expect(found.json.files).toHaveLength(2);
});

test("files are found by their properties, page by page, in the requested order", async () => {
  const drive = await driveForTest();
  for (const name of ["c", "a", "it's b"]) await make(drive, { name, appProperties: { key: "k1" } });
  await make(drive, { name: "other", appProperties: { key: "k2" } });
  const q = "appProperties has { key='key' and value='k1' } and trashed = false";
  const first = await find(drive, q, "&orderBy=name&pageSize=2&fields=nextPageToken,files(name)");
  expect(first.json.files).toEqual([{ name: "a" }, { name: "c" }]);
  const rest = await find(
    drive,
    q,
    `&orderBy=name&pageToken=${encodeURIComponent(String(first.json.nextPageToken))}`,
  );
  expect(rest.json.files).toMatchObject([{ name: "it's b" }]);
  const quoted = await find(drive, "name = 'it\\'s b'");
  expect(quoted.json.files).toHaveLength(1);
  expect(reasonOf(await find(drive, "name is 'a'"))).toBe("invalid");
});

test("responses have the default or the requested fields; about requires fields", async () => {
  const drive = await driveForTest();
  const id = await make(drive, { name: "a" });
  const usual = await drive.ask("GET", `${FILES}/${id}`);
  expect(Object.keys(usual.json).sort()).toEqual(["id", "kind", "mimeType", "name"]);
  const some = await drive.ask("GET", `${FILES}/${id}?fields=id,parents`);
  expect(Object.keys(some.json).sort()).toEqual(["id", "parents"]);
  expect(reasonOf(await drive.ask("GET", "/drive/v3/about"))).toBe("required");
  const about = await drive.ask("GET", "/drive/v3/about?fields=storageQuota(limit,usage)");
  expect(about.json).toEqual({ storageQuota: { limit: String(100 * 1024 ** 3), usage: "0" } });
});

test("a resumable upload takes multiples of 256 KiB and becomes a file with its last byte", async () => {
  const drive = await driveForTest();
  const bytes = randomBytes(2 * QUANTUM + 100);
  const address = await drive.begin({ name: "a.zip" }, bytes.length, "&fields=id,size,sha256Checksum");
  const odd = await drive.chunk(address, bytes.subarray(0, 1_000), 0, bytes.length);
  expect(odd.status).toBe(400);
  const first = await drive.chunk(address, bytes.subarray(0, QUANTUM), 0, bytes.length);
  expect([first.status, first.headers.get("range")]).toEqual([308, `bytes=0-${QUANTUM - 1}`]);
  expect((await find(drive, "name = 'a.zip'")).json.files).toEqual([]);
  const gap = await drive.chunk(address, bytes.subarray(2 * QUANTUM), 2 * QUANTUM, bytes.length);
  expect(gap.status).toBe(400);
  expect((await drive.question(address)).headers.get("range")).toBe(`bytes=0-${QUANTUM - 1}`);
  const last = await drive.chunk(address, bytes.subarray(QUANTUM), QUANTUM, bytes.length);
  const sha256Checksum = createHash("sha256").update(bytes).digest("hex");
  expect(last.json).toMatchObject({ size: String(bytes.length), sha256Checksum });
  expect((await readBack(drive, last.json.id)).equals(bytes)).toBe(true);
  // A progress query after the end returns the result again.
  expect((await drive.question(address)).json.id).toBe(last.json.id);
});

test("an interrupted chunk keeps whole multiples of 256 KiB", async () => {
  const drive = await driveForTest();
  const bytes = randomBytes(4 * QUANTUM);
  const address = await drive.begin({ name: "a.zip" }, bytes.length);
  await drive.control("/google-drive/break-upload", { afterBytes: QUANTUM + 5 });
  const broken = await drive.chunk(address, bytes.subarray(0, 3 * QUANTUM), 0, bytes.length);
  expect([broken.status, reasonOf(broken)]).toEqual([503, "backendError"]);
  const asked = await drive.question(address, bytes.length);
  expect([asked.status, asked.headers.get("range")]).toEqual([308, `bytes=0-${QUANTUM - 1}`]);
  const done = await drive.chunk(address, bytes.subarray(QUANTUM), QUANTUM, bytes.length);
  expect((await readBack(drive, done.json.id)).equals(bytes)).toBe(true);
});

test("an upload session expires after a week or when cancelled", async () => {
  const drive = await driveForTest();
  const old = await drive.begin({ name: "a" }, 10);
  await drive.control("/google-drive/expire-sessions");
  expect((await drive.question(old)).status).toBe(404);
  const given = await drive.begin({ name: "b" }, 10);
  expect((await drive.ask("DELETE", given)).status).toBe(499);
  expect((await drive.question(given)).status).toBe(404);
});

test("new bytes for a file create a new revision of it", async () => {
  const drive = await driveForTest();
  const made = await drive.ask("POST", "/upload/drive/v3/files?uploadType=media&fields=id,headRevisionId", {
    body: Buffer.from("one"),
    headers: { "Content-Type": "application/zip" },
  });
  const updated = await drive.ask(
    "PATCH",
    `/upload/drive/v3/files/${made.json.id}?uploadType=media&fields=id,headRevisionId,size`,
    { body: Buffer.from("three"), headers: { "Content-Type": "application/zip" } },
  );
  expect(updated.json).toMatchObject({ id: made.json.id, size: "5" });
  expect(updated.json.headRevisionId).not.toBe(made.json.headRevisionId);
});

test("a multipart request has metadata and bytes", async () => {
  const drive = await driveForTest();
  const bytes = Buffer.from("binary\r\n\r\n\0\xff bytes", "latin1");
  const body = Buffer.concat([
    Buffer.from('--b1\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"m.bin"}\r\n'),
    Buffer.from("--b1\r\nContent-Type: application/octet-stream\r\n\r\n"),
    bytes,
    Buffer.from("\r\n--b1--"),
  ]);
  const made = await drive.ask("POST", "/upload/drive/v3/files?uploadType=multipart", {
    body,
    headers: { "Content-Type": "multipart/related; boundary=b1" },
  });
  expect(made.json).toMatchObject({ name: "m.bin", mimeType: "application/octet-stream" });
  expect((await readBack(drive, made.json.id)).equals(bytes)).toBe(true);
});

test("a generated id makes a repeated creation harmless", async () => {
  const drive = await driveForTest();
  const { json } = await drive.ask("GET", `${FILES}/generateIds?count=1`);
  const [id = ""] = json.ids as string[];
  expect(await make(drive, { id, name: "once" })).toBe(id);
  const again = await drive.ask("POST", FILES, { body: { id, name: "once" } });
  expect([again.status, reasonOf(again)]).toEqual([409, "fileIdInUse"]);
});

test("the contents of a trashed folder are trashed; deleting a folder deletes its contents", async () => {
  const drive = await driveForTest();
  const folder = await make(drive, { name: "Holdfast", mimeType: FOLDER_TYPE });
  const file = await make(drive, { name: "a", parents: [folder] });
  await drive.control("/google-drive/trash", { login: "nora-lindqvist", name: "Holdfast" });
  const trashed = await drive.ask("GET", `${FILES}/${file}?fields=trashed,explicitlyTrashed`);
  expect(trashed.json).toEqual({ trashed: true, explicitlyTrashed: false });
  expect((await drive.ask("DELETE", `${FILES}/${folder}`)).status).toBe(204);
  const gone = await drive.ask("GET", `${FILES}/${file}`);
  expect([gone.status, reasonOf(gone)]).toEqual([404, "notFound"]);
  const orphan = await drive.ask("POST", FILES, { body: { name: "b", parents: [folder] } });
  expect([orphan.status, reasonOf(orphan)]).toEqual([404, "notFound"]);
});

test("files that the application did not create are invisible", async () => {
  const drive = await driveForTest();
  const answer = await drive.control("/google-drive/stranger", {
    login: "nora-lindqvist",
    name: "Holdfast",
    mimeType: FOLDER_TYPE,
  });
  const { id } = (await answer.json()) as { id: string };
  expect((await find(drive, "name = 'Holdfast'")).json.files).toEqual([]);
  expect((await drive.ask("GET", `${FILES}/${id}`)).status).toBe(404);
  const inside = await drive.ask("POST", FILES, { body: { name: "a", parents: [id] } });
  expect(inside.status).toBe(404);
});

test("a full Drive refuses an upload at the start if the size is known, else at the end", async () => {
  const drive = await driveForTest();
  await drive.control("/google-drive/space", { login: "nora-lindqvist", limitBytes: 100 });
  const early = await drive.ask("POST", "/upload/drive/v3/files?uploadType=resumable", {
    body: { name: "a" },
    headers: { "X-Upload-Content-Length": "101" },
  });
  expect([early.status, reasonOf(early)]).toEqual([403, "storageQuotaExceeded"]);
  const address = await drive.begin({ name: "a" });
  const late = await drive.chunk(address, randomBytes(101), 0, 101);
  expect([late.status, reasonOf(late)]).toEqual([403, "storageQuotaExceeded"]);
});

test("properties are limited, and unknown parameters and operations are recorded", async () => {
  const drive = await driveForTest();
  const long = await drive.ask("POST", FILES, { body: { name: "a", appProperties: { k: "x".repeat(124) } } });
  expect(reasonOf(long)).toBe("propertyLengthLimitExceeded");
  const strange = await drive.ask("POST", FILES, { body: { name: "a", colour: "red" } });
  expect(strange.status).toBe(400);
  const nowhere = await fetch(`${drive.apiUrl}/drive/v2/files`, {
    headers: { Authorization: `Bearer ${drive.tokenOf()}` },
  });
  expect(nowhere.status).toBe(404);
  expect(drive.log.refusals().map(({ kind }) => kind)).toEqual(["refused", "unknown"]);
});

test("rate-limit faults have Drive's formats", async () => {
  const drive = await driveForTest();
  for (const [shape, status, reason] of [
    ["user", 403, "userRateLimitExceeded"],
    ["project", 403, "rateLimitExceeded"],
    ["backend", 429, "rateLimitExceeded"],
  ] as const) {
    drive.faults.add({ match: {}, action: { kind: "rate-limit", shape } });
    const refused = await drive.ask("GET", `${FILES}/root`);
    expect([refused.status, reasonOf(refused)]).toEqual([status, reason]);
  }
});

test.skipIf(contractsAreAbsent())("the contract check detects wrong types, fields and parameters", () => {
  const exchange = { method: "GET", url: `${FILES}/1?fields=id`, status: 200 };
  expect(misfitsOf({ ...exchange, body: { id: "1", size: "5" } })).toEqual([]);
  expect(misfitsOf({ ...exchange, body: { id: 1 } })).toHaveLength(1);
  expect(misfitsOf({ ...exchange, body: { id: "1", colour: "red" } })).toHaveLength(1);
  expect(misfitsOf({ ...exchange, url: `${FILES}/1?colour=red`, body: {} })).toHaveLength(1);
});
