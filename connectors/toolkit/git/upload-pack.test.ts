import { rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { type GitServer, startGitServer } from "#connectors/toolkit/simulator/git-server.ts";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { createPktParser, DELIM_PKT, encodePkt, FLUSH_PKT } from "./pkt-line.ts";
import { isRefsMoved } from "./pkt-stream.ts";
import { isKeptRef } from "./refs.ts";
import { basicAuthorization, type GitRemote } from "./smart-http.ts";
import { fetchPack, lsRefs, uploadPackCapabilities } from "./upload-pack.ts";

let workshop: GitWorkshop;
let server: GitServer;

beforeAll(async () => {
  workshop = openGitWorkshop();
  server = await startGitServer(workshop.folder);
});
afterAll(async () => {
  await server.close();
  workshop.remove();
});

function remote(path: string, more: Partial<GitRemote> = {}): GitRemote {
  return { url: `${server.url}/${path}`, fetch: (url, init) => fetch(url, init), stallMs: 10_000, ...more };
}

function collector() {
  const chunks: Buffer[] = [];
  return {
    sink: { write: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)) },
    chunks,
    bytes: () => Buffer.concat(chunks),
  };
}

async function rejection(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

/** Runs `work` while the server sends a custom response. */
async function withAnswer<T>(
  answer: (response: ServerResponse, url: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  server.options = {
    intercept: (request, response) => {
      request.resume();
      answer(response, request.url ?? "");
      return true;
    },
  };
  try {
    return await work();
  } finally {
    server.options = {};
  }
}

/** A bare repository with branches, an annotated tag, notes, a tag on a blob, and pull refs. */
function makeRepository(name: string, format: "sha1" | "sha256" = "sha1"): string {
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", `--object-format=${format}`, `${name}.git`]);
  workshop.git(".", ["init", "-q", "-b", "main", `--object-format=${format}`, name]);
  workshop.git(name, ["remote", "add", "origin", `../${name}.git`]);
  workshop.write(`${name}/README.md`, "hello\n");
  workshop.write(`${name}/src/a.txt`, "line\n".repeat(2000));
  workshop.commit(name, "first");
  workshop.write(`${name}/src/a.txt`, `${"line\n".repeat(2000)}end\n`);
  workshop.commit(name, "second");
  workshop.git(name, ["tag", "-a", "-m", "one", "v1"]);
  workshop.git(name, ["tag", "blobtag", workshop.git(name, ["rev-parse", "HEAD:README.md"])]);
  workshop.git(name, ["notes", "add", "-m", "a note"]);
  workshop.git(name, ["update-ref", "refs/pull/7/head", "HEAD~1"]);
  workshop.git(name, ["update-ref", "refs/pull/7/merge", "HEAD"]);
  workshop.git(name, ["branch", "feature/ünï"]);
  workshop.git(name, ["push", "-q", "origin", "+refs/*:refs/*"]);
  return `${name}.git`;
}

test("every kind of ref is listed as by git, sorted, with peeled tags and the branch of HEAD", async () => {
  const path = makeRepository("listing");
  const listing = await lsRefs(remote(path), { prefixes: ["refs/"] });
  const expected = workshop
    .git(path, ["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)"])
    .split("\n")
    .map((line) => line.trim());
  expect(listing.refs.map((ref) => [ref.name, ref.oid, ref.peeled].filter(Boolean).join(" "))).toEqual(
    expected,
  );
  expect(listing.head).toEqual({ target: "refs/heads/main", oid: workshop.git(path, ["rev-parse", "HEAD"]) });
  expect(listing.objectFormat).toBe("sha1");
  const kept = listing.refs
    .map((ref) => ref.name)
    .filter((name) => isKeptRef(name, { proposals: "refs/pull/", own: [] }));
  expect(kept).toContain("refs/pull/7/head");
  expect(kept).not.toContain("refs/pull/7/merge");
  expect(kept).toContain("refs/notes/commits");
});

test("a first backup, an increment, a revert, a force-push and an unchanged repository each fetch a valid pack", async () => {
  const path = makeRepository("story");
  workshop.git(".", ["init", "-q", "--bare", "story-copy.git"]);
  const known = new Set<string>();
  async function backUp() {
    const { refs, objectFormat } = await lsRefs(remote(path), { prefixes: ["refs/"] });
    const wants = [...new Set(refs.map((ref) => ref.oid))].filter((oid) => !known.has(oid));
    const { sink, bytes } = collector();
    if (wants.length === 0) return null;
    const pack = await fetchPack(remote(path), { wants, haves: [...known], objectFormat, sink });
    expect(pack.bytes).toBe(bytes().length);
    if (!pack.empty) workshop.git("story-copy.git", ["index-pack", "--stdin"], { input: bytes() });
    for (const oid of wants) {
      known.add(oid);
      workshop.git("story-copy.git", ["cat-file", "-e", oid]);
    }
    return pack;
  }
  const first = await backUp();
  expect(first!.objects).toBeGreaterThan(8);
  expect(await backUp()).toBeNull();

  workshop.write("story/README.md", "changed\n");
  workshop.commit("story", "third");
  workshop.git("story", ["push", "-q", "origin", "main"]);
  expect((await backUp())!.objects).toBe(3);

  workshop.git("story", ["revert", "--no-edit", "HEAD"]);
  workshop.git("story", ["push", "-q", "origin", "main"]);
  expect((await backUp())!.objects).toBeGreaterThanOrEqual(1);

  workshop.git("story", ["reset", "-q", "--hard", "HEAD~3"]);
  workshop.write("story/other.txt", "rewritten\n");
  workshop.commit("story", "another history");
  workshop.git("story", ["push", "-q", "-f", "origin", "main"]);
  expect((await backUp())!.objects).toBe(3);

  workshop.git("story", ["push", "-q", "origin", "HEAD~1:refs/heads/old"]);
  const old = await backUp();
  expect(old === null || old.empty).toBe(true);
  workshop.git("story-copy.git", ["fsck", "--strict"]);
});

test("an empty repository has no refs and a HEAD with its unborn branch", async () => {
  workshop.git(".", ["init", "-q", "--bare", "-b", "trunk", "empty.git"]);
  const listing = await lsRefs(remote("empty.git"), { prefixes: ["refs/"] });
  expect(listing).toEqual({
    head: { target: "refs/heads/trunk", oid: null },
    refs: [],
    objectFormat: "sha1",
    rejected: [],
    respelt: [],
  });
});

test("a SHA-256 repository is listed and fetched in its own format", async () => {
  const path = makeRepository("long", "sha256");
  const { refs, objectFormat } = await lsRefs(remote(path), { prefixes: ["refs/"] });
  expect(objectFormat).toBe("sha256");
  const { sink, bytes } = collector();
  const pack = await fetchPack(remote(path), {
    wants: refs.map((ref) => ref.oid),
    haves: [],
    objectFormat,
    sink,
  });
  workshop.git(".", ["init", "-q", "--bare", "--object-format=sha256", "long-copy.git"]);
  workshop.git("long-copy.git", ["index-pack", "--strict", "--stdin"], { input: bytes() });
  expect(pack.hash).toHaveLength(64);
});

test("five thousand refs, thousands of wants and twenty thousand unknown haves fit in one request", async () => {
  const path = makeRepository("many");
  const tip = workshop.git(path, ["rev-parse", "HEAD"]);
  const tree = workshop.git(path, ["rev-parse", "HEAD^{tree}"]);
  let stream = "";
  for (let i = 0; i < 5000; i++) {
    stream += `commit refs/heads/b${i}\ncommitter Ada <ada@example.test> ${1_700_000_000 + i} +0000\ndata 1\nx\nfrom ${tip}\n\n`;
  }
  workshop.git(path, ["fast-import", "--quiet"], { input: stream });
  const { refs, objectFormat } = await lsRefs(remote(path), { prefixes: ["refs/"] });
  expect(refs.length).toBeGreaterThan(5000);
  const wants = [...new Set(refs.map((ref) => ref.oid))];
  expect(wants.length).toBeGreaterThan(5000);
  const haves = Array.from({ length: 20_000 }, (_, i) => i.toString(16).padStart(40, "a"));
  const { sink, bytes } = collector();
  const before = server.requests.length;
  const pack = await fetchPack(remote(path), { wants, haves: [...haves, tree], objectFormat, sink });
  expect(server.requests.length - before).toBe(1);
  expect(pack.objects).toBeGreaterThan(5000);
  expect(pack.bytes).toBe(bytes().length);
});

test("a want that the server no longer has means that refs moved, despite HTTP 200", async () => {
  const path = makeRepository("moved");
  const order = { wants: ["1".repeat(40)], haves: [], objectFormat: "sha1" as const, sink: collector().sink };
  const error = await rejection(fetchPack(remote(path), order));
  expect(error.kind).toBe("unavailable");
  expect(isRefsMoved(error)).toBe(true);
  expect(isRefsMoved(new ConnectorError("unavailable", "other"))).toBe(false);
});

test("git's progress is passed on as numbers, without its own counting phase", async () => {
  const path = makeRepository("progress");
  const { refs, objectFormat } = await lsRefs(remote(path), { prefixes: ["refs/"] });
  const wants = refs.map((ref) => ref.oid);
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => void seen.push(progress);
  await fetchPack(remote(path), { wants, haves: [], objectFormat, sink: collector().sink, onProgress });
  const counting = seen.filter((progress) => progress.phase === "Counting objects");
  expect(counting.at(-1)).toMatchObject({ unit: "objects", done: expect.any(Number) });
  expect(counting.at(-1)?.done).toBeGreaterThan(0);
  expect(seen.filter(({ unit, total }) => unit === "objects" && total !== null)).toEqual([]);
});

test("a large pack reaches the sink in chunks of at least 64 KiB with backpressure", async () => {
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "large.git"]);
  workshop.git(".", ["clone", "-q", "large.git", "large"]);
  const noise = new Uint8Array(6_000_000);
  for (let i = 0, x = 1; i < noise.length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    noise[i] = x >>> 16;
  }
  workshop.write("large/noise.bin", noise);
  const tip = workshop.commit("large", "noise");
  workshop.git("large", ["push", "-q", "origin", "HEAD:refs/heads/main"]);
  const { chunks, bytes } = collector();
  let busy = false;
  const sink = {
    write: async (chunk: Uint8Array) => {
      expect(busy).toBe(false);
      busy = true;
      const before = Buffer.from(chunk);
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(before.equals(chunk)).toBe(true);
      chunks.push(before);
      busy = false;
    },
  };
  const pack = await fetchPack(remote("large.git"), { wants: [tip], haves: [], objectFormat: "sha1", sink });
  expect(chunks.slice(0, -1).every((chunk) => chunk.length >= 65_536)).toBe(true);
  writeFileSync(join(workshop.folder, "large.pack"), bytes());
  workshop.git(".", ["index-pack", "large.pack"]);
  expect(pack.objects).toBe(3);
});

/** The recorded response of a real fetch, for tests that damage it. */
async function recordFetch(
  path: string,
): Promise<{ body: Buffer; order: { wants: string[]; haves: string[]; objectFormat: "sha1" } }> {
  const { refs } = await lsRefs(remote(path), { prefixes: ["refs/"] });
  const order = { wants: refs.map((ref) => ref.oid), haves: [], objectFormat: "sha1" as const };
  let body = Buffer.alloc(0);
  const recording: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    body = Buffer.from(await response.arrayBuffer());
    return new Response(body, response);
  };
  await fetchPack(remote(path, { fetch: (url, init) => recording(url, init) }), {
    ...order,
    sink: collector().sink,
  });
  return { body, order };
}

function answering(body: Uint8Array): Partial<GitRemote> {
  const headers = { "content-type": "application/x-git-upload-pack-result" };
  return { fetch: async () => new Response(body as Uint8Array<ArrayBuffer>, { headers }) };
}

test("a pack truncated at any pkt-line boundary or near its end fails cleanly", async () => {
  const path = makeRepository("cut");
  const { body, order } = await recordFetch(path);
  // Wrap the pack again, 64 bytes a line, to get many boundaries.
  const parser = createPktParser();
  parser.push(body);
  const pack: Buffer[] = [];
  for (let pkt = parser.next(); pkt !== null; pkt = parser.next()) {
    if (pkt.type === "data" && pkt.bytes[0] === 1) pack.push(Buffer.from(pkt.bytes.subarray(1)));
  }
  const lines = [Buffer.from("000dpackfile\n")];
  const whole = Buffer.concat(pack);
  for (let at = 0; at < whole.length; at += 64) {
    const part = whole.subarray(at, at + 64);
    lines.push(
      Buffer.concat([Buffer.from((part.length + 5).toString(16).padStart(4, "0")), Buffer.of(1), part]),
    );
  }
  lines.push(Buffer.from("0000"));
  const good = collector();
  await fetchPack(remote(path, answering(Buffer.concat(lines))), { ...order, sink: good.sink });
  expect(good.bytes().equals(whole)).toBe(true);
  for (let count = 0; count < lines.length; count++) {
    const cut = Buffer.concat(lines.slice(0, count));
    const error = await rejection(
      fetchPack(remote(path, answering(cut)), { ...order, sink: collector().sink }),
    );
    expect(error.kind).toBe("unavailable");
  }
  const all = Buffer.concat(lines);
  for (let missing = 1; missing < 120; missing++) {
    const cut = all.subarray(0, all.length - missing);
    await rejection(fetchPack(remote(path, answering(cut)), { ...order, sink: collector().sink }));
  }
});

test("a wrong or missing trailer and a body without a pack are refused", async () => {
  const path = makeRepository("trailer");
  const { body, order } = await recordFetch(path);
  const wrong = Buffer.from(body);
  const end = wrong.lastIndexOf("0000");
  const packEnd = wrong.subarray(0, end);
  packEnd[Math.floor(end / 2)]! ^= 1;
  const error = await rejection(
    fetchPack(remote(path, answering(wrong)), { ...order, sink: collector().sink }),
  );
  expect(["malformed", "unavailable"]).toContain(error.kind);
  const noPack = Buffer.from(`000dpackfile\n0035\u0001${"x".repeat(48)}0000`, "latin1");
  const refused = await rejection(
    fetchPack(remote(path, answering(noPack)), { ...order, sink: collector().sink }),
  );
  expect(refused.kind).toBe("malformed");
  const noSection = Buffer.from("0014acknowledgments\n0008NAK\n0000");
  await rejection(fetchPack(remote(path, answering(noSection)), { ...order, sink: collector().sink }));
});

test("a fatal message in side-band 3 in the middle of a pack fails the fetch with the server's message", async () => {
  const path = makeRepository("band3");
  const { order } = await recordFetch(path);
  const data = Buffer.alloc(65_515, 7);
  Buffer.from("PACK\0\0\0\x02\0\0\0\x09", "latin1").copy(data);
  const line = Buffer.concat([Buffer.from("fff0"), Buffer.of(1), data]);
  const text = "aborting due to possible repository corruption on the remote side.\n";
  const fatal = Buffer.concat([
    Buffer.from((text.length + 5).toString(16).padStart(4, "0")),
    Buffer.of(3),
    Buffer.from(text),
  ]);
  const body = Buffer.concat([
    Buffer.from("000dpackfile\n"),
    ...Array.from({ length: 60 }, () => line),
    fatal,
  ]);
  const { sink, bytes } = collector();
  const error = await rejection(fetchPack(remote(path, answering(body)), { ...order, sink }));
  expect(error.kind).toBe("unavailable");
  expect(error.message).toContain("repository corruption");
  expect(bytes().length).toBeGreaterThan(3_000_000);
  // A pack that looks complete is invalid if the server reports an error before the end of its response.
  const { body: good } = await recordFetch(path);
  const end = good.lastIndexOf("0000");
  const late = Buffer.concat([good.subarray(0, end), fatal, Buffer.from("0000")]);
  await fetchPack(remote(path, answering(good)), { ...order, sink: collector().sink });
  const told = await rejection(
    fetchPack(remote(path, answering(late)), { ...order, sink: collector().sink }),
  );
  expect(told.message).toContain("repository corruption");
});

test("a damaged repository fails the fetch at once, with git's own first fatal line", async () => {
  for (const damage of ["garbage", "missing"] as const) {
    const path = makeRepository(damage);
    const { order } = await recordFetch(path);
    const oid = workshop.git(path, ["rev-parse", "main:src/a.txt"]);
    const file = join(workshop.folder, path, "objects", oid.slice(0, 2), oid.slice(2));
    rmSync(file);
    if (damage === "garbage") writeFileSync(file, "no object");
    const error = await rejection(fetchPack(remote(path), { ...order, sink: collector().sink }));
    expect([damage, error.kind]).toEqual([damage, "unsupported"]);
    expect(error.message).toMatch(
      /^The git server reports: fatal: .+\. Its copy of the repository is damaged\.$/,
    );
    expect(error.message).toContain(oid);
    expect(error.message).not.toContain("possible repository corruption");
  }
});

test("an error that git explains beforehand is reported in those words, and is no damage unless they say so", async () => {
  const path = makeRepository("explained");
  const { order } = await recordFetch(path);
  const answer = (...lines: string[]) =>
    answering(
      Buffer.concat([
        encodePkt("packfile\n"),
        ...lines.map((line) => encodePkt(Buffer.from(line, "latin1"))),
        FLUSH_PKT,
      ]),
    );
  const errorOf = (...lines: string[]) =>
    rejection(fetchPack(remote(path, answer(...lines)), { ...order, sink: collector().sink }));
  const aborted = "\u0003aborting due to possible repository corruption on the remote side.\0";
  const memory = await errorOf("\u0002fatal: Out of memory, malloc failed\n", aborted);
  expect([memory.kind, memory.message]).toEqual([
    "unavailable",
    "The git server reports: fatal: Out of memory, malloc failed",
  ]);
  // The fatal line counts, also after an error line and in pieces.
  const damaged = await errorOf(
    "\u0002error: inflate: broken\nfatal: loose object 12 is ",
    "\u0002corrupt\n",
    aborted,
  );
  expect(damaged.message).toContain("reports: fatal: loose object 12 is corrupt.");
});

test("sections before the pack are read: a shallow server is reported, unknown sections are skipped", async () => {
  const path = makeRepository("sections");
  const { body, order } = await recordFetch(path);
  const shallowLine = `shallow ${"a".repeat(40)}\n`;
  const section = Buffer.concat([
    encodePkt("shallow-info\n"),
    encodePkt(shallowLine),
    DELIM_PKT,
    encodePkt("new-section\n"),
    encodePkt("what?\n"),
    DELIM_PKT,
  ]);
  const { sink, bytes } = collector();
  const pack = await fetchPack(remote(path, answering(Buffer.concat([section, body]))), { ...order, sink });
  expect(pack.shallow).toEqual(["a".repeat(40)]);
  expect(bytes().length).toBe(pack.bytes);
});

const NOW = Date.parse("2026-01-01T00:00:00Z");
const clock = { now: () => NOW };

test.each<[string, number, Record<string, string>, string, string, number | null]>([
  ["429 with seconds", 429, { "retry-after": "30" }, "", "rate-limited", 30_000],
  ["429 with a date", 429, { "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT" }, "", "rate-limited", 120_000],
  ["429 without advice", 429, {}, "", "rate-limited", 60_000],
  ["429 with zero", 429, { "retry-after": "0" }, "", "rate-limited", 1_000],
  ["429 with ten years", 429, { "retry-after": "315360000" }, "", "rate-limited", 3_600_000],
  ["429 with nonsense", 429, { "retry-after": "-5" }, "", "rate-limited", 60_000],
  [
    "403 with an empty quota",
    403,
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 90) },
    "",
    "rate-limited",
    90_000,
  ],
  ["403 that only says so", 403, {}, "You have exceeded a secondary rate limit.", "rate-limited", 60_000],
  ["403", 403, {}, "no", "forbidden", null],
  ["401", 401, {}, "", "unauthorized", null],
  ["404", 404, {}, "", "gone", null],
  ["410", 410, {}, "", "gone", null],
  ["451", 451, {}, "DMCA", "gone", null],
  ["500", 500, {}, "", "unavailable", null],
  ["502", 502, { "content-type": "text/html" }, "<html>bad gateway</html>", "unavailable", null],
  ["520", 520, {}, "", "unavailable", null],
  ["408", 408, {}, "", "unavailable", null],
  ["413", 413, {}, "", "unsupported", null],
  ["418", 418, {}, "", "malformed", null],
  ["200 with a page", 200, { "content-type": "text/html ; charset=utf-8" }, "<html>", "unavailable", null],
  ["200 with other content", 200, { "content-type": "application/json" }, "{}", "malformed", null],
  [
    "200 without a body",
    200,
    { "content-type": "application/x-git-upload-pack-advertisement" },
    "",
    "unavailable",
    null,
  ],
])("a response with %s has the right error kind", async (_, status, headers, body, kind, waitMs) => {
  const error = await withAnswer(
    (response) => void response.writeHead(status, headers).end(body),
    () => rejection(lsRefs(remote("any.git", { clock }), { prefixes: [] })),
  );
  expect(error.kind).toBe(kind);
  expect(error.retryAt).toBe(waitMs === null ? null : NOW + waitMs);
  expect(error.message).not.toContain("<html");
});

test("credentials are sent with the first request and never to another host", async () => {
  const authorization = async () => basicAuthorization("x-access-token", "s3cret");
  const seen: (string | undefined)[] = [];
  server.options = {
    intercept: (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(301, { location: server.url.replace("127.0.0.1", "localhost") + request.url }).end();
      return true;
    },
  };
  const error = await rejection(lsRefs(remote("any.git", { authorization }), { prefixes: [] }));
  server.options = {};
  expect(error.kind).toBe("malformed");
  expect(error.message).not.toContain("s3cret");
  expect(seen).toEqual(["Basic eC1hY2Nlc3MtdG9rZW46czNjcmV0"]);
});

test("redirects of a renamed repository are followed on the same host; loops end", async () => {
  makeRepository("renamed");
  server.options = {
    intercept: (request, response) => {
      if (!request.url?.startsWith("/before.git/")) return false;
      request.resume();
      response.writeHead(301, { location: request.url.replace("before", "renamed") }).end();
      return true;
    },
  };
  const listing = await lsRefs(remote("before.git"), { prefixes: ["refs/"] });
  server.options = {};
  expect(listing.refs.length).toBeGreaterThan(3);
  const circle = await withAnswer(
    (response, url) => void response.writeHead(302, { location: url }).end(),
    () => rejection(lsRefs(remote("any.git"), { prefixes: [] })),
  );
  expect(circle.kind).toBe("malformed");
});

test("silence is a stall before the first byte and within the body; a broken connection is reported", async () => {
  const silent = await withAnswer(
    () => undefined,
    () => rejection(lsRefs(remote("any.git", { stallMs: 60 }), { prefixes: [] })),
  );
  expect(silent).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("sent nothing for 1 s"),
  });
  const type = { "content-type": "application/x-git-upload-pack-advertisement" };
  const halfway = await withAnswer(
    (response) => void response.writeHead(200, type).write("000eversion 2\n"),
    () => rejection(lsRefs(remote("any.git", { stallMs: 60 }), { prefixes: [] })),
  );
  expect(halfway).toMatchObject({ kind: "unavailable", message: expect.stringContaining("sent nothing") });
  const broken = await withAnswer(
    (response) => {
      response.writeHead(200, type).write("000eversion 2\n");
      setTimeout(() => response.destroy(), 20);
    },
    () => rejection(lsRefs(remote("any.git"), { prefixes: [] })),
  );
  expect(broken.kind).toBe("unavailable");
});

test("a pack that arrives too slowly is a stall, even without silence", async () => {
  const type = { "content-type": "application/x-git-upload-pack-result" };
  const lineOf = (data: Buffer) =>
    Buffer.concat([Buffer.from((data.length + 5).toString(16).padStart(4, "0")), Buffer.of(1), data]);
  const first = Buffer.alloc(65_000, 7);
  Buffer.from("PACK\0\0\0\x02\0\0\0\x09", "latin1").copy(first);
  const dripping = await withAnswer(
    (response) => {
      response.writeHead(200, type).write("000dpackfile\n");
      for (let line = 0; line < 10; line++) response.write(lineOf(first));
      const drip = setInterval(() => response.write(lineOf(Buffer.alloc(64, 7))), 10);
      const end = setTimeout(() => response.destroy(), 4_000);
      response.on("close", () => {
        clearInterval(drip);
        clearTimeout(end);
      });
    },
    () =>
      rejection(
        fetchPack(remote("any.git", { stallMs: 400 }), {
          wants: ["a".repeat(40)],
          haves: [],
          objectFormat: "sha1",
          sink: collector().sink,
        }),
      ),
  );
  expect(dripping).toMatchObject({ kind: "unavailable", message: expect.stringContaining("sent nothing") });
});

test("a server with only the old protocol is unsupported, and a missing repository is gone", async () => {
  const path = makeRepository("old");
  const withoutVersion = (url: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.delete("git-protocol");
    return fetch(url, { ...init, headers });
  };
  const error = await rejection(uploadPackCapabilities(remote(path, { fetch: withoutVersion })));
  expect(error.kind).toBe("unsupported");
  expect((await rejection(lsRefs(remote("nowhere.git"), { prefixes: [] }))).kind).toBe("gone");
});

test("a server that lists or fetches, but not both, is unsupported", async () => {
  const headers = { "content-type": "application/x-git-upload-pack-advertisement" };
  for (const offered of ["ls-refs=unborn\n", "fetch\n"]) {
    const body = Buffer.concat([encodePkt("version 2\n"), encodePkt(offered), FLUSH_PKT]);
    const answer = remote("any.git", { fetch: async () => new Response(body, { headers }) });
    expect((await rejection(uploadPackCapabilities(answer))).kind).toBe("unsupported");
  }
});

test("refs whose names git would refuse are told apart and not kept", async () => {
  const lined = (...lines: string[]) => Buffer.concat([...lines.map((line) => encodePkt(line)), FLUSH_PKT]);
  const advertisement = lined("version 2\n", "ls-refs=unborn\n", "fetch\n");
  const bad = "refs/heads/a..b";
  const oid = "a".repeat(40);
  const list = lined(`${oid} refs/heads/good\n`, `${oid} ${bad}\n`, `${oid} refs/heads/x\u0001\n`);
  const answer = (url: string) => ({
    body: url.includes("info/refs") ? advertisement : list,
    type: url.includes("info/refs") ? "advertisement" : "result",
  });
  const listing = await lsRefs(
    remote("any.git", {
      fetch: async (url) => {
        const { body, type } = answer(url);
        return new Response(body, { headers: { "content-type": `application/x-git-upload-pack-${type}` } });
      },
    }),
    { prefixes: ["refs/"] },
  );
  expect(listing.refs.map((ref) => ref.name)).toEqual(["refs/heads/good"]);
  expect(listing.rejected.map((ref) => ref.name)).toContain(bad);
  expect(listing.rejected).toHaveLength(2);
});
