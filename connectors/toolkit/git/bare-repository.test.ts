import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitServer, startGitServer } from "#connectors/toolkit/simulator/git-server.ts";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { bareRepositoryFiles, type StoredPack } from "./bare-repository.ts";
import { indexPack } from "./pack-index.ts";
import type { RefListing } from "./refs.ts";
import { fetchPack, lsRefs } from "./upload-pack.ts";

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

/** Backs up a repository into two packs that share objects, and writes the bare repository below `target`. */
async function rebuild(name: string, format: "sha1" | "sha256", target: string): Promise<RefListing> {
  workshop.git(".", ["init", "-q", "-b", "trunk", `--object-format=${format}`, name]);
  const remote = {
    url: `${server.url}/${name}/.git`,
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
  };
  const packs: (StoredPack & { bytes: Buffer; idx: Uint8Array })[] = [];
  for (let state = 0; state < 2; state++) {
    workshop.write(`${name}/a.txt`, `state ${state}\n`);
    workshop.write(`${name}/shared.txt`, "always the same\n");
    workshop.commit(name, `state ${state}`);
    workshop.git(name, ["tag", "-a", "-m", "tag", `v${state}`]);
    workshop.git(name, ["update-ref", `refs/pull/${state}/head`, "HEAD"]);
    const { refs } = await lsRefs(remote, { prefixes: ["refs/"] });
    const chunks: Buffer[] = [];
    const wants = refs.map((ref) => ref.oid);
    const pack = await fetchPack(remote, {
      wants,
      haves: [], // the second pack repeats the first on purpose
      objectFormat: format,
      sink: { write: (chunk) => void chunks.push(Buffer.from(chunk)) },
    });
    const bytes = Buffer.concat(chunks);
    const source = {
      size: bytes.length,
      read: async (at: number, length: number) => bytes.subarray(at, at + length),
    };
    const indexed = await indexPack(source, { objectFormat: format });
    if (indexed.kind !== "indexed") throw new Error("suspended");
    expect(indexed.packHash).toBe(pack.hash);
    packs.push({
      name: pack.hash,
      entry: `git/packs/${state}.pack`,
      hasIdx: true,
      bytes,
      idx: Buffer.concat([...indexed.idx()]),
    });
  }
  const listing = await lsRefs(remote, { prefixes: ["refs/"] });
  const files = bareRepositoryFiles({ ...listing, packs, prefix: `${target}/` });
  for await (const file of files) {
    const path = join(workshop.folder, file.path);
    mkdirSync(file.source === "directory" ? path : dirname(path), { recursive: true });
    if (file.source === "directory") continue;
    const pack = packs.find((each) => file.source !== "bytes" && each.entry === file.entry);
    writeFileSync(
      path,
      file.source === "bytes" ? file.bytes : file.source === "entry" ? pack!.bytes : pack!.idx,
    );
  }
  return listing;
}

test.each(["sha1", "sha256"] as const)("git clones the files and fsck passes (%s)", async (format) => {
  const listing = await rebuild(`origin-${format}`, format, `rebuilt-${format}`);
  workshop.git(`rebuilt-${format}`, ["fsck", "--strict", "--full"]);
  workshop.git(".", ["clone", "-q", "--mirror", `rebuilt-${format}`, `clone-${format}.git`]);
  workshop.git(`clone-${format}.git`, ["fsck", "--strict", "--full"]);
  const refs = workshop.git(`clone-${format}.git`, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  expect(refs).toBe(listing.refs.map((ref) => `${ref.oid} ${ref.name}`).join("\n"));
  workshop.git(".", ["clone", "-q", `rebuilt-${format}`, `checkout-${format}`]);
  expect(readFileSync(join(workshop.folder, `checkout-${format}/a.txt`), "utf8")).toBe("state 1\n");
  expect(workshop.git(`checkout-${format}`, ["branch", "--show-current"])).toBe("trunk");
});

test("git clones the same files over dumb HTTP", async () => {
  const listing = await rebuild("dumb-origin", "sha1", "dumb");
  const files = createServer((request, response) => {
    try {
      response.end(readFileSync(join(workshop.folder, new URL(request.url ?? "/", "http://x").pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/dumb`;
  // Not through the workshop: this process must stay responsive.
  const code = await new Promise((resolve) =>
    spawn("git", ["clone", "-q", "--mirror", url, join(workshop.folder, "dumb-clone.git")], {
      stdio: "ignore",
    }).on("close", resolve),
  );
  await new Promise((resolve) => files.close(resolve));
  expect(code).toBe(0);
  workshop.git("dumb-clone.git", ["fsck", "--strict"]);
  const refs = workshop.git("dumb-clone.git", ["for-each-ref", "--format=%(objectname) %(refname)"]);
  expect(refs.split("\n")).toEqual(listing.refs.map((ref) => `${ref.oid} ${ref.name}`));
});

test("no ref name becomes a path, and git opens an empty repository", async () => {
  const files = bareRepositoryFiles({
    refs: [
      { name: "refs/heads/../../escape", oid: "a".repeat(40) },
      { name: "refs/heads/con", oid: "a".repeat(40) },
    ],
    head: { target: "refs/heads/main", oid: null },
    objectFormat: "sha1",
    packs: [],
    prefix: "x/",
  });
  const paths: string[] = [];
  let packed = "";
  for await (const file of files) {
    paths.push(file.path);
    if (file.path === "x/packed-refs" && file.source === "bytes") packed = Buffer.from(file.bytes).toString();
  }
  expect(paths.filter((path) => /escape|con$/.test(path))).toEqual([]);
  expect(packed).not.toContain("escape");
  expect(packed).toContain("refs/heads/con");

  workshop.git(".", ["init", "-q", "-b", "main", "none"]);
  const empty = bareRepositoryFiles({
    refs: [],
    head: { target: "refs/heads/main", oid: null },
    objectFormat: "sha1",
    packs: [],
    prefix: "empty/",
  });
  for await (const file of empty) {
    const path = join(workshop.folder, file.path);
    mkdirSync(file.source === "directory" ? path : dirname(path), { recursive: true });
    if (file.source === "bytes") writeFileSync(path, file.bytes);
  }
  workshop.git(".", ["clone", "-q", "empty", "empty-clone"]);
});
