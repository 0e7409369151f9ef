import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UploadPack } from "#connectors/contract/platform-connector.ts";
import { gitEnvironment } from "#connectors/toolkit/simulator/git-backend.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { encodePkt, FLUSH_PKT } from "../pkt-line.ts";
import { indexAll } from "../test-packs.ts";
import { openUploadPack } from "./open-upload-pack.ts";
import { findRepository } from "./repository-files.ts";
import { commitPack, repositoryVersion } from "./test-versions.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-upload-pack-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Pack = { pack: Uint8Array; tips: readonly string[] };
type Refs = { name: string; oid: string; peeled?: string }[];
type More = { format?: "sha1" | "sha256"; headOid?: string | null };

async function open(packs: readonly Pack[], refs: Refs, more: More = {}): Promise<UploadPack | null> {
  const snapshot = await repositoryVersion(packs, refs, more);
  for (const [at, { pack }] of packs.entries()) {
    const { hash } = (await snapshot.find(`git/packs/0001-000${at + 1}.pack`))!;
    const index = await indexAll(Buffer.from(pack), { objectFormat: more.format ?? "sha1" });
    snapshot.companions.set(`${hash}/idx`, Buffer.concat([...index.idx()]));
  }
  return await openUploadPack(snapshot, (await findRepository(snapshot, "git/"))!);
}

async function bytesOf({ length, body }: ReturnType<UploadPack["answer"]>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body()) pieces.push(piece.slice());
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(length);
  return bytes;
}

/** Serves a repository to git. Returns its URL, and what was asked. */
async function serve(uploadPack: UploadPack) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === "GET") {
      response.setHeader("Content-Type", "application/x-git-upload-pack-advertisement");
      return response.end(uploadPack.refs);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const plain = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    response.setHeader("Content-Type", "application/x-git-upload-pack-result");
    return response.end(await bytesOf(uploadPack.answer(plain)));
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
  return { url, asked, close: () => server.close() };
}

const git = (...args: string[]) => promisify(execFile)("git", args, { env: gitEnvironment() });

/** The refs of a clone that the strictest client makes, which accepts no object twice. */
async function clonedRefs(uploadPack: UploadPack, name: string): Promise<{ refs: string; asked: string[] }> {
  const { url, asked, close } = await serve(uploadPack);
  const target = join(folder, name);
  await git("-c", "transfer.fsckObjects=true", "clone", "-q", "--mirror", url, target);
  runGit(target, ["fsck", "--strict", "--full"]);
  close();
  return { refs: runGit(target, ["for-each-ref", "--format=%(refname) %(objectname)"]).trim(), asked };
}

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
const both: Pack[] = [
  { pack: one.pack, tips: [one.oid] },
  { pack: two.pack, tips: [two.oid] },
];
const MAIN = [{ name: "refs/heads/main", oid: two.oid }];

test("git clones packs that belong together as one pack, in two requests", async () => {
  const refs = [
    ...MAIN,
    ...Array.from({ length: 300 }, (_, at) => ({ name: `refs/tags/v${at}`, oid: one.oid })),
  ];
  const cloned = await clonedRefs((await open(both, refs))!, "both");
  expect(cloned.refs.split("\n")).toHaveLength(301);
  expect(cloned.refs).toContain(`refs/heads/main ${two.oid}`);
  expect(cloned.asked).toEqual([
    "GET /x.git/info/refs?service=git-upload-pack",
    "POST /x.git/git-upload-pack",
  ]);
});

test("a clone is updated, and a repository without commits is cloned", async () => {
  const first = await serve((await open(both.slice(0, 1), [{ name: "refs/heads/main", oid: one.oid }]))!);
  const target = join(folder, "updated");
  await git("clone", "-q", first.url, target);
  first.close();
  const later = await serve((await open(both, MAIN))!);
  await git("-C", target, "fetch", "-q", later.url, "main");
  expect(runGit(target, ["rev-parse", "FETCH_HEAD"]).trim()).toBe(two.oid);
  later.close();
  const empty = await serve((await open([], [], { headOid: null }))!);
  await git("clone", "-q", empty.url, join(folder, "empty"));
  empty.close();
});

test.each(["sha1", "sha256"] as const)(
  "packs that git has made with deltas are joined (%s)",
  async (format) => {
    const source = join(folder, `source-${format}`);
    execFileSync("git", ["init", "-q", "-b", "main", `--object-format=${format}`, source], {
      env: gitEnvironment(),
    });
    const text = Array.from({ length: 400 }, (_, line) => `line ${line} of a long text`);
    const tips: string[] = [];
    for (const version of ["one", "two", "three", "four"]) {
      text[7] = version;
      execFileSync("sh", ["-c", 'cat > "$1"', "-", join(source, "text")], { input: text.join("\n") });
      runGit(source, ["add", "-A"]);
      runGit(source, ["-c", "user.name=N", "-c", "user.email=n@e.test", "commit", "-q", "-m", version]);
      tips.push(runGit(source, ["rev-parse", "HEAD"]).trim());
    }
    const packs = [[tips[1]!], [tips[3]!, `^${tips[1]}`]].map((wanted) => ({
      pack: execFileSync(
        "git",
        ["-C", source, "pack-objects", "-q", "--revs", "--stdout", "--delta-base-offset"],
        {
          env: gitEnvironment(),
          input: `${wanted.join("\n")}\n`,
        },
      ),
      tips: [wanted[0]!],
    }));
    const refs = [{ name: "refs/heads/main", oid: tips[3]! }];
    const cloned = await clonedRefs((await open(packs, refs, { format }))!, `joined-${format}`);
    expect(cloned.refs).toBe(`refs/heads/main ${tips[3]}`);
  },
);

test("packs that share an object are not sent as one", async () => {
  const again = commitPack("one", [two.oid]);
  expect(await open([...both, { pack: again.pack, tips: [again.oid] }], MAIN)).toBeNull();
});

test("a request is refused in git's way", async () => {
  const uploadPack = (await open(both, MAIN))!;
  const answer = async (...parts: Uint8Array[]) =>
    (await bytesOf(uploadPack.answer(Buffer.concat(parts)))).toString("latin1");
  const want = encodePkt(`want ${two.oid} ofs-delta\n`);
  const done = encodePkt("done\n");
  expect(await answer(FLUSH_PKT)).toBe("");
  expect(await answer(encodePkt(`want ${"0".repeat(40)}\n`), FLUSH_PKT, done)).toMatch(
    /ERR .*not our ref 0{40}$/,
  );
  expect(await answer(want, encodePkt("deepen 1\n"), FLUSH_PKT, done)).toMatch(
    /ERR .*'deepen' is not offered$/,
  );
  expect(await answer(want, FLUSH_PKT, done.subarray(0, 6))).toMatch(/ERR .*cut off$/);
  expect(await answer(want, FLUSH_PKT, Buffer.from("zzzz"))).toMatch(/ERR .*broken$/);
  expect(await answer(want, FLUSH_PKT, encodePkt(`have ${one.oid}\n`), FLUSH_PKT)).toBe("0008NAK\n");
  expect(await answer(want, FLUSH_PKT, done)).toMatch(/^0008NAK\nPACK/);
});
