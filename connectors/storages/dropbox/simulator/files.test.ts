import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { examplesOf, misfitsOf } from "./expect-fits.ts";
import { dropboxForTest } from "./test-world.ts";

const MEBIBYTE = 1024 ** 2;

type World = Awaited<ReturnType<typeof dropboxForTest>>;

async function begin(dropbox: World, bytes: Uint8Array | string = ""): Promise<string> {
  return String((await dropbox.send("files/upload_session/start", {}, bytes)).json.session_id);
}

function hashOf(bytes: Uint8Array): string {
  const outer = createHash("sha256");
  for (let at = 0; at < bytes.length; at += 4 * MEBIBYTE) {
    outer.update(
      createHash("sha256")
        .update(bytes.subarray(at, at + 4 * MEBIBYTE))
        .digest(),
    );
  }
  return outer.digest("hex");
}

test("an uploaded file is read back with its content hash, and parent folders are created", async () => {
  const dropbox = await dropboxForTest();
  const bytes = new Uint8Array(5 * MEBIBYTE).map((_, index) => index % 251);
  const made = await dropbox.send("files/upload", { path: "/GitHub/Ärger/a.zip" }, bytes);
  expect(made.status).toBe(400); // the header must be ASCII
  const arg = { path: "/GitHub/api/a.zip", content_hash: hashOf(bytes) };
  const { json } = await dropbox.send("files/upload", arg, bytes);
  expect(json).toMatchObject({
    size: bytes.length,
    content_hash: hashOf(bytes),
    path_lower: "/github/api/a.zip",
  });
  const back = await dropbox.download("/github/API/A.zip");
  expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  const part = await dropbox.download("/GitHub/api/a.zip", { Range: "bytes=3-5" });
  expect([part.status, await part.bytes()]).toEqual([206, bytes.subarray(3, 6)]);
  const folder = await dropbox.call("files/get_metadata", { path: "/github" });
  expect(folder.json).toMatchObject({ ".tag": "folder", path_display: "/GitHub" });
});

test("paths ignore case; adding conflicts, overwriting creates a new revision", async () => {
  const dropbox = await dropboxForTest();
  const first = await dropbox.send("files/upload", { path: "/a.zip" }, "one");
  const same = await dropbox.send("files/upload", { path: "/A.ZIP" }, "one");
  expect(same.json.rev).toBe(first.json.rev);
  const other = await dropbox.send("files/upload", { path: "/A.ZIP" }, "two");
  expect(other.status).toBe(409);
  expect(other.json.error_summary).toBe("path/conflict/file/..");
  expect(other.json.error).toMatchObject({ reason: { ".tag": "conflict" } });
  const renamed = await dropbox.send("files/upload", { path: "/a.zip", autorename: true }, "two");
  expect(renamed.json.name).toBe("a (1).zip");
  const over = await dropbox.send("files/upload", { path: "/a.zip", mode: "overwrite" }, "two");
  expect(over.json.id).toBe(first.json.id);
  expect(over.json.rev).not.toBe(first.json.rev);
  const below = await dropbox.send("files/upload", { path: "/a.zip/b" }, "x");
  expect(below.json.error_summary).toBe("path/conflict/file_ancestor/..");
});

test("a session takes bytes in order, returns the right offset on error, and shows no file before it is finished", async () => {
  const dropbox = await dropboxForTest();
  const session_id = await begin(dropbox, "ab");
  const append = (offset: number, bytes: string) =>
    dropbox.send("files/upload_session/append_v2", { cursor: { session_id, offset } }, bytes);
  expect((await append(2, "cd")).text).toBe("null");
  const again = await append(2, "cd");
  expect([again.status, again.json.error]).toEqual([409, { ".tag": "incorrect_offset", correct_offset: 4 }]);
  const commit = { path: "/s.zip" };
  expect((await dropbox.call("files/get_metadata", commit)).json.error_summary).toBe("path/not_found/..");
  const early = await dropbox.send("files/upload_session/finish", {
    cursor: { session_id, offset: 3 },
    commit,
  });
  expect(early.json.error).toEqual({
    ".tag": "lookup_failed",
    lookup_failed: { ".tag": "incorrect_offset", correct_offset: 4 },
  });
  const done = await dropbox.send(
    "files/upload_session/finish",
    { cursor: { session_id, offset: 4 }, commit },
    "ef",
  );
  expect(done.json).toMatchObject({ size: 6, name: "s.zip" });
  expect(await (await dropbox.download("/s.zip")).text()).toBe("abcdef");
  const gone = await append(6, "");
  expect(gone.json.error).toEqual({ ".tag": "not_found" });
});

test("a closed session takes no bytes, an old one is forgotten, and bytes with a wrong hash are refused", async () => {
  const dropbox = await dropboxForTest();
  const session_id = await begin(dropbox);
  const cursor = { session_id, offset: 0 };
  const broken = { cursor, content_hash: "0".repeat(64) };
  const append = (arg: object, bytes = "") => dropbox.send("files/upload_session/append_v2", arg, bytes);
  expect((await append(broken, "abc")).json.error).toEqual({ ".tag": "content_hash_mismatch" });
  expect((await append({ cursor, close: true }, "abc")).status).toBe(200);
  const late = await append({ cursor: { session_id, offset: 3 } }, "d");
  expect(late.json.error).toEqual({ ".tag": "closed" });
  await dropbox.control("/dropbox/expire-sessions");
  const expired = await append({ cursor: { session_id, offset: 3 } });
  expect(expired.json.error).toEqual({ ".tag": "not_found" });
});

test("an interrupted body has no effect", async () => {
  const dropbox = await dropboxForTest();
  const session_id = await begin(dropbox, "ab");
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("cdefg"));
      setTimeout(() => controller.error(new Error("the line broke")), 50);
    },
  });
  const sending = fetch(`${dropbox.contentUrl}/2/files/upload_session/append_v2`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${dropbox.tokenOf()}`,
      "Content-Type": "application/octet-stream",
      "Dropbox-API-Arg": JSON.stringify({ cursor: { session_id, offset: 2 } }),
    },
    body: broken,
    duplex: "half",
  } as RequestInit);
  await expect(sending).rejects.toThrow();
  const arg = { cursor: { session_id, offset: 2 }, commit: { path: "/whole.txt" } };
  expect((await dropbox.send("files/upload_session/finish", arg, "c")).json).toMatchObject({ size: 3 });
});

test("oversized requests and a full account are refused like Dropbox does", async () => {
  const dropbox = await dropboxForTest({ settings: { mostRequestBytes: 10 } });
  await dropbox.control("/dropbox/space", { login: "nora-lindqvist", allocatedBytes: 12 });
  const large = await dropbox.send("files/upload", { path: "/a" }, "elevenbytes");
  expect(large.json.error).toEqual({ ".tag": "payload_too_large" });
  expect((await dropbox.send("files/upload", { path: "/a" }, "tenbytes..")).status).toBe(200);
  const full = await dropbox.send("files/upload", { path: "/b" }, "abc");
  expect(full.json.error_summary).toBe("path/insufficient_space/..");
  const session_id = await begin(dropbox, "abc");
  const arg = { cursor: { session_id, offset: 3 }, commit: { path: "/b" } };
  const late = await dropbox.send("files/upload_session/finish", arg);
  expect(late.json.error).toEqual({ ".tag": "path", path: { ".tag": "insufficient_space" } });
  const space = await dropbox.call("users/get_space_usage");
  expect(space.json).toEqual({ used: 10, allocation: { ".tag": "individual", allocated: 12 } });
});

test("a folder is listed page by page, recursively on request", async () => {
  const dropbox = await dropboxForTest();
  for (const name of ["a/1", "a/2", "a/b/3", "c"])
    await dropbox.send("files/upload", { path: `/${name}` }, name);
  const names = (json: Record<string, unknown>) =>
    (json.entries as { path_lower: string }[]).map(({ path_lower }) => path_lower);
  const first = await dropbox.call("files/list_folder", { path: "/A", limit: 2 });
  expect([names(first.json), first.json.has_more]).toEqual([["/a/1", "/a/2"], true]);
  const next = await dropbox.call("files/list_folder/continue", { cursor: first.json.cursor });
  expect([names(next.json), next.json.has_more]).toEqual([["/a/b"], false]);
  const whole = await dropbox.call("files/list_folder", { path: "", recursive: true });
  expect(names(whole.json)).toHaveLength(6);
  const file = await dropbox.call("files/list_folder", { path: "/c" });
  expect(file.json.error).toEqual({ ".tag": "path", path: { ".tag": "not_folder" } });
});

test("folders are created once and deleted with their contents; a deletion can require a revision", async () => {
  const dropbox = await dropboxForTest();
  const made = await dropbox.call("files/create_folder_v2", { path: "/x/y" });
  expect(made.json).toMatchObject({ metadata: { path_display: "/x/y" } });
  const again = await dropbox.call("files/create_folder_v2", { path: "/X/y" });
  expect(again.json.error_summary).toBe("path/conflict/folder/..");
  const { json } = await dropbox.send("files/upload", { path: "/x/y/f" }, "1");
  await dropbox.send("files/upload", { path: "/x/y/f", mode: "overwrite" }, "2");
  const stale = await dropbox.call("files/delete_v2", { path: "/x/y/f", parent_rev: json.rev });
  expect(stale.json.error_summary).toBe("path_write/conflict/file/..");
  expect((await dropbox.call("files/delete_v2", { path: "/x" })).status).toBe(200);
  const absent = await dropbox.call("files/delete_v2", { path: "/x/y/f" });
  expect(absent.json.error_summary).toBe("path_lookup/not_found/..");
});

test("invalid paths and unknown fields are refused, and unusual requests are recorded", async () => {
  const dropbox = await dropboxForTest();
  const bad = await dropbox.send("files/upload", { path: "/a//b" }, "x");
  expect(bad.json.error_summary).toBe("path/malformed_path/..");
  const own = await dropbox.send("files/upload", { path: "/Thumbs.db" }, "x");
  expect(own.json.error_summary).toBe("path/disallowed_name/..");
  expect(dropbox.log.refusals()).toEqual([]);
  expect((await dropbox.send("files/upload", { path: "/a", colour: "red" }, "x")).status).toBe(400);
  expect((await dropbox.call("files/upload", { path: "/a" })).status).toBe(404);
  expect(dropbox.log.refusals()).toHaveLength(2);
});

test("rate-limit faults have Dropbox's formats", async () => {
  const dropbox = await dropboxForTest();
  dropbox.faults.add({ match: {}, action: { kind: "rate-limit", shape: "writes", retryAfter: "3" } });
  const refused = await dropbox.call("users/get_space_usage");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(refused.json.error).toEqual({ reason: { ".tag": "too_many_write_operations" }, retry_after: 3 });
});

test("files and grants survive a restart with the same folder", async () => {
  const first = await dropboxForTest();
  const { directory } = first.world;
  const token = first.tokenOf();
  await first.send("files/upload", { path: "/kept" }, "bytes");
  first.world.save();
  await new Promise((resolve) => setTimeout(resolve, 120));
  const second = await dropboxForTest({ directory });
  const found = await second.call("files/get_metadata", { path: "/kept" }, token);
  expect(found.json).toMatchObject({ size: 5 });
});

test.skipIf(contractsAreAbsent())(
  "the contract check accepts official examples and rejects invalid ones",
  () => {
    const call = { host: "api", path: "/2/files/get_metadata", arg: { path: "/a" }, status: 200 };
    const example = { ".tag": "file", ...(examplesOf("files.FileMetadata").default as object) };
    expect(misfitsOf({ ...call, body: example })).toEqual([]);
    expect(misfitsOf({ ...call, body: { ...example, size: "7212" } })).not.toEqual([]);
    expect(misfitsOf({ ...call, host: "content", body: example })).not.toEqual([]);
  },
);
