import { expect, test } from "vitest";
import type { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { emptyPack } from "./object-format.ts";
import { DELIM_PKT, encodePkt } from "./pkt-line.ts";
import { isRefsMoved } from "./pkt-stream.ts";
import { blob, forge } from "./test-packs.ts";
import { band, gitAnswer, gitServerOf, pktLines } from "./test-remote.ts";
import { fetchPack, lsRefs, uploadPackCapabilities } from "./upload-pack.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const SHA256 = "c".repeat(64);
const kindOf = async (work: Promise<unknown>) =>
  await work.then(
    () => null,
    (error: ConnectorError) => [error.kind, error.message],
  );

/** A remote that gives one prepared body as its advertisement or its result. */
function answering(body: Uint8Array, kind = "result") {
  const state = { isReleased: false, sent: [] as string[] };
  const fetch = async (_url: string, init?: RequestInit) => {
    state.sent.push(Buffer.from((init?.body as Uint8Array | undefined) ?? []).toString());
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(body),
      cancel: () => {
        state.isReleased = true;
      },
    });
    const headers = { "content-type": `application/x-git-upload-pack-${kind}` };
    return new Response(body.length === 0 ? new Uint8Array(0) : stream, { headers });
  };
  return { state, remote: { url: "https://git.test/r.git", fetch, stallMs: 2_000 } };
}

const advertised = (...lines: string[]) => answering(pktLines(...lines), "advertisement").remote;
const V2 = ["version 2\n", "ls-refs=unborn\n", "fetch=shallow\n"];

test("capabilities are read by key, with and without a value, after the banner of the service", async () => {
  const body = Buffer.concat([
    pktLines("# service=git-upload-pack\n"),
    pktLines(...V2, "agent=git/2=x\n", "server-option\n"),
  ]);
  const { remote, state } = answering(body, "advertisement");
  expect([...(await uploadPackCapabilities(remote))]).toEqual([
    ["ls-refs", "unborn"],
    ["fetch", "shallow"],
    ["agent", "git/2=x"],
    ["server-option", ""],
  ]);
  expect(state.isReleased).toBe(true);
});

test("an advertisement of an older protocol is unsupported; one that ends early is no answer", async () => {
  const old = advertised(`${A} HEAD\0multi_ack\n`);
  expect(await kindOf(uploadPackCapabilities(old))).toEqual([
    "unsupported",
    "The git server does not speak protocol version 2.",
  ]);
  for (const line of ["ls-refs\n", "fetch\n"])
    expect((await kindOf(uploadPackCapabilities(advertised("version 2\n", line))))?.[0]).toBe("unsupported");
  const once = (body: Uint8Array) => async () => gitAnswer(body, "upload-pack-advertisement");
  const cut = { ...old, fetch: once(pktLines(...V2).subarray(0, -4)) };
  expect((await kindOf(uploadPackCapabilities(cut)))?.[1]).toBe("The git server's answer was cut off.");
  const nothing = { ...old, fetch: once(pktLines("# service=git-upload-pack\n")) };
  expect((await kindOf(uploadPackCapabilities(nothing)))?.[1]).toBe("The git server gave an empty answer.");
});

test("a listing asks for what the server offers and for the prefixes, in the repository's format", async () => {
  const body = pktLines(`${SHA256} refs/heads/main\n`);
  const { remote, state } = answering(body);
  const capabilities = new Map([["object-format", "sha256"]]);
  await lsRefs(remote, { prefixes: ["refs/heads/", "refs/tags/"], capabilities });
  const line = (text: string) => encodePkt(text);
  const request = Buffer.concat([
    line("command=ls-refs"),
    line("agent=git/holdfast-1"),
    line("object-format=sha256"),
    DELIM_PKT,
    ...["peel", "symrefs", "ref-prefix HEAD", "ref-prefix refs/heads/", "ref-prefix refs/tags/"].map((text) =>
      line(`${text}\n`),
    ),
    Buffer.from("0000"),
  ]);
  expect(state.sent).toEqual([request.toString()]);
  expect(state.isReleased).toBe(true);
  const unborn = answering(pktLines(`${A} refs/heads/main\n`));
  await lsRefs(unborn.remote, { prefixes: ["refs/"], capabilities: new Map([["ls-refs", "x unborn"]]) });
  expect(unborn.state.sent[0]).toContain("000bunborn\n");
});

test("a server's listing is filtered by the prefixes again, sorted, and without repetitions", async () => {
  const body = pktLines(
    `${B} refs/tags/v1 peeled:${A}\n`,
    `${A} refs/heads/b\n`,
    `${A} refs/heads/a\n`,
    `${B} refs/heads/a\n`,
    `${A} refs/other/x\n`,
    `${A} refs/other/a..b\n`,
    `${A} refs/heads/a..b\n`,
    "unborn refs/heads/sym symref-target:refs/heads/none\n",
    `${A} HEAD symref-target:refs/heads/a\n`,
    Buffer.concat([Buffer.from(`${A} refs/heads/`), Buffer.of(0xe9, 0x80, 0x7e - 1), Buffer.from("\n")]),
    Buffer.concat([Buffer.from(`${A} refs/other/`), Buffer.of(0xff), Buffer.from("\n")]),
  );
  const listing = await lsRefs(answering(body).remote, {
    prefixes: ["refs/heads/", "refs/tags/"],
    capabilities: new Map(),
  });
  expect(listing).toEqual({
    head: { target: "refs/heads/a", oid: A },
    refs: [
      { name: "refs/heads/%E9%80}", oid: A },
      { name: "refs/heads/a", oid: A },
      { name: "refs/heads/b", oid: A },
      { name: "refs/tags/v1", oid: B, peeled: A },
    ],
    objectFormat: "sha1",
    rejected: [{ name: "refs/heads/a..b", reason: "it holds '..' or '@{'" }],
    respelt: ["refs/heads/%E9%80}"],
  });
});

test("a head may be detached, unborn or missing", async () => {
  const headOf = async (...lines: string[]) =>
    (await lsRefs(answering(pktLines(...lines)).remote, { prefixes: ["refs/"], capabilities: new Map() }))
      .head;
  expect(await headOf(`${A} HEAD\n`)).toEqual({ target: null, oid: A });
  expect(await headOf("unborn HEAD symref-target:refs/heads/x\n")).toEqual({
    target: "refs/heads/x",
    oid: null,
  });
  expect(await headOf(`${A} refs/heads/a\n`)).toEqual({ target: null, oid: null });
});

test.each<[string, Uint8Array, string, RegExp]>([
  ["a listing that is cut off", pktLines(`${A} refs/heads/a\n`).subarray(0, -4), "unavailable", /cut off/],
  ["a separator", Buffer.concat([DELIM_PKT, pktLines()]), "malformed", /list of refs is broken/],
  ["a ref without an object name", pktLines("nothing refs/heads/a\n"), "malformed", /no object name/],
  ["a head without an object name", pktLines("nothing HEAD\n"), "malformed", /no object name/],
  ["a tag on nothing", pktLines(`${A} refs/tags/a peeled:x\n`), "malformed", /no object name/],
  ["a name of the other format", pktLines(`${SHA256} refs/heads/a\n`), "malformed", /no object name/],
])("%s is an error", async (_, body, kind, words) => {
  const remote = { ...answering(body).remote, fetch: async () => gitAnswer(body, "upload-pack-result") };
  const told = await kindOf(lsRefs(remote, { prefixes: ["refs/"], capabilities: new Map() }));
  expect(told).toEqual([kind, expect.stringMatching(words)]);
});

test("an object format that we do not know is unsupported", async () => {
  const capabilities = new Map([["object-format", `sha3${"x".repeat(30)}`]]);
  expect(await kindOf(lsRefs(answering(pktLines()).remote, { prefixes: [], capabilities }))).toEqual([
    "unsupported",
    `The repository uses an unknown object format 'sha3${"x".repeat(16)}'.`,
  ]);
});

const ORDER = { wants: [A], haves: [B], objectFormat: "sha1" as const };
const PACK = forge([blob("content")]);

/** Fetches from a prepared body. */
async function fetched(body: Uint8Array, onProgress?: (progress: Progress) => void) {
  const chunks: Buffer[] = [];
  const sink = { write: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)) };
  const remote = { ...answering(body).remote, fetch: async () => gitAnswer(body, "upload-pack-result") };
  const pack = await fetchPack(remote, { ...ORDER, sink, ...(onProgress ? { onProgress } : {}) });
  return { pack, bytes: Buffer.concat(chunks) };
}

test("a fetch sends its wants and haves, and asks for progress only if somebody listens", async () => {
  const server = gitServerOf({ head: { target: null, oid: null }, refs: [], packs: [PACK, PACK] });
  const sink = { write: () => undefined };
  await fetchPack(server.remote, { ...ORDER, sink });
  await fetchPack(server.remote, { ...ORDER, wants: [A, B], haves: [], sink, onProgress: () => undefined });
  const head = ["command=fetch", "agent=git/holdfast-1", "object-format=sha1", "ofs-delta"];
  expect(server.asked.map(({ lines }) => lines)).toEqual([
    [...head, "no-progress", `want ${A}`, `have ${B}`, "done"],
    [...head, `want ${A}`, `want ${B}`, "done"],
  ]);
});

test("a pack between side-bands arrives whole, with the facts about it", async () => {
  const seen: Progress[] = [];
  const body = Buffer.concat([
    encodePkt("packfile\n"),
    encodePkt(band(2, "Counting objects: 50% (1/2)\r")),
    encodePkt(band(1, PACK.subarray(0, 30))),
    encodePkt(band(2, "\n")),
    pktLines(band(1, PACK.subarray(30))),
  ]);
  const { pack, bytes } = await fetched(body, (progress) => seen.push(progress));
  expect(bytes.equals(PACK)).toBe(true);
  const hash = PACK.subarray(-20).toString("hex");
  expect(pack).toEqual({ objects: 1, bytes: PACK.length, empty: false, hash, shallow: [] });
  expect(seen).toEqual([{ phase: "Counting objects", done: 1, total: null, unit: "objects" }]);
  const none = await fetched(Buffer.concat([encodePkt("packfile\n"), pktLines(band(1, emptyPack("sha1")))]));
  expect(none.pack).toMatchObject({ objects: 0, empty: true });
});

test("a large pack is told byte by byte while it arrives", async () => {
  const large = forge([{ ...blob(""), body: Buffer.alloc(600_000, 7) }]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < large.length; at += 60_000) pieces.push(band(1, large.subarray(at, at + 60_000)));
  const seen: Progress[] = [];
  const { bytes } = await fetched(Buffer.concat([encodePkt("packfile\n"), pktLines(...pieces)]), (progress) =>
    seen.push(progress),
  );
  expect(bytes.equals(large)).toBe(true);
  expect(seen).toEqual([{ phase: "Receiving objects", done: 480_000, total: null, unit: "bytes" }]);
});

test("sections before the pack are skipped, only the shallow commits are told", async () => {
  const body = Buffer.concat([
    encodePkt("acknowledgments\n"),
    encodePkt(`shallow ${B}\n`),
    DELIM_PKT,
    encodePkt("shallow-info\n"),
    encodePkt(`shallow ${A}\n`),
    encodePkt(`unshallow ${B}\n`),
    encodePkt("packfile\n"),
    DELIM_PKT,
    encodePkt("packfile\n"),
    pktLines(band(1, PACK)),
  ]);
  expect((await fetched(body)).pack.shallow).toEqual([A]);
});

test.each<[string, Uint8Array, string, RegExp]>([
  ["no pack at all", pktLines(), "malformed", /holds no pack/],
  ["sections and then nothing", encodePkt("acknowledgments\n"), "unavailable", /cut off/],
  [
    "a pack without its end",
    Buffer.concat([encodePkt("packfile\n"), encodePkt(band(1, PACK))]),
    "unavailable",
    /cut off/,
  ],
  [
    "a separator within the pack",
    Buffer.concat([encodePkt("packfile\n"), DELIM_PKT]),
    "malformed",
    /strange line/,
  ],
  [
    "an unknown side-band",
    Buffer.concat([encodePkt("packfile\n"), pktLines(band(9, "x"))]),
    "malformed",
    /unknown side-band/,
  ],
  [
    "a fatal message",
    Buffer.concat([encodePkt("packfile\n"), pktLines(band(3, "no disk\n"))]),
    "unavailable",
    /reports: no disk$/,
  ],
])("a fetch that gives %s is an error", async (_, body, kind, words) => {
  expect(await kindOf(fetched(body))).toEqual([kind, expect.stringMatching(words)]);
});

test("a want that is no object name is never sent, and one that is gone means that refs moved", async () => {
  const server = gitServerOf({ head: { target: null, oid: null }, refs: [], packs: [] });
  const sink = { write: () => undefined };
  await expect(fetchPack(server.remote, { ...ORDER, wants: ["HEAD"], sink })).rejects.toThrow(
    /no object name/,
  );
  await expect(fetchPack(server.remote, { ...ORDER, haves: ["x"], sink })).rejects.toThrow(/no object name/);
  expect(server.asked).toEqual([]);
  const gone = await fetchPack(server.remote, { ...ORDER, sink }).catch((error: unknown) => error);
  expect(isRefsMoved(gone)).toBe(true);
});
