import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { lfsPointer } from "#connectors/toolkit/simulator/lfs-server.ts";
import { createPointerScan, type ScanLimits } from "./pointer-scan.ts";

let workshop: GitWorkshop;
beforeAll(() => {
  workshop = openGitWorkshop();
});
afterAll(() => workshop.remove());

const oidOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The pointers that `git cat-file` finds among all blobs of a repository. */
function pointersByGit(at: string): string[] {
  const all = workshop.git(at, ["cat-file", "--batch-all-objects", "--batch-check"]).split("\n");
  const found = all.flatMap((line) => {
    const [oid = "", type, size] = line.split(" ");
    if (type !== "blob" || Number(size) >= 1024) return [];
    const text = workshop.gitBytes(at, ["cat-file", "blob", oid]).toString("latin1");
    return /^version https:\/\/git-lfs.*\noid sha256:([0-9a-f]{64})\nsize \d+\n/.exec(text)?.[1] ?? [];
  });
  return [...new Set(found)].sort();
}

/** A repository with pointers that git stores as deltas of each other, among files of various sizes. */
function makeRepository(name: string, format: "sha1" | "sha256"): Buffer {
  workshop.git(".", ["init", "-q", "-b", "main", `--object-format=${format}`, name]);
  for (let round = 0; round < 12; round++) {
    workshop.write(`${name}/.gitattributes`, "*.bin filter=lfs\n");
    for (const file of ["a", "b", "deep/c"]) {
      workshop.write(`${name}/${file}.bin`, lfsPointer(oidOf(`${file} ${round}`), 1000 + round));
    }
    workshop.write(`${name}/notes.md`, `${"words that stay the same\n".repeat(80)}${round}\n`);
    workshop.write(`${name}/large.txt`, `${"0123456789abcdef\n".repeat(20_000)}${round}\n`);
    workshop.write(`${name}/noise.dat`, createHash("sha512").update(String(round)).digest());
    workshop.commit(name, `Round ${round}`);
  }
  workshop.write(
    `${name}/decoy.md`,
    `see version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf("no")}\n`,
  );
  workshop.commit(name, "A page about LFS");
  return workshop.gitBytes(name, ["pack-objects", "--all", "--stdout", "--delta-base-offset", "-q"]);
}

async function scan(
  pack: Uint8Array,
  cuts: readonly number[],
  format: "sha1" | "sha256" = "sha1",
  limits?: ScanLimits,
) {
  const pointers = createPointerScan(format, limits);
  const edges = [0, ...[...cuts].sort((a, b) => a - b), pack.length];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const lent = new Uint8Array(pack.subarray(from, edges[index + 1]!));
    await pointers.take(lent);
    // The chunk's memory may be reused from here on.
    lent.fill(0xff);
  }
  return (await pointers.finish()).map(({ oid }) => oid).sort();
}

test.each(["sha1", "sha256"] as const)(
  "every pointer of a pack is found, including deltas (%s)",
  async (format) => {
    const pack = makeRepository(`all-${format}`, format);
    const expected = pointersByGit(`all-${format}`);
    expect(expected).toHaveLength(36);
    workshop.write(`all-${format}.pack`, pack);
    const args = ["index-pack", `--object-format=${format}`, `all-${format}.pack`];
    workshop.git(".", args);
    const listing = workshop.git(".", [
      "verify-pack",
      `--object-format=${format}`,
      "-v",
      `all-${format}.pack`,
    ]);
    expect(listing).toMatch(/chain length = [0-9]+/);
    expect(await scan(pack, [], format)).toEqual(expected);
  },
);

test("the result does not depend on chunk sizes", async () => {
  const pack = makeRepository("cut", "sha1");
  const expected = pointersByGit("cut");
  const cuts = fc.array(fc.integer({ min: 0, max: pack.length }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      expect(await scan(pack, places)).toEqual(expected);
    }),
    { numRuns: 40, seed: 3 },
  );
  const bytewise = Array.from({ length: 3_000 }, (_, index) => index);
  expect(await scan(pack, bytewise)).toEqual(expected);
});

test("a truncated or damaged pack ends the scan without an error", async () => {
  const pack = makeRepository("damaged", "sha1");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: pack.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, flip, isCut) => {
        const bytes = new Uint8Array(isCut ? pack.subarray(0, at) : pack);
        if (!isCut) bytes[at] = bytes[at]! ^ flip;
        await scan(bytes, [Math.floor(bytes.length / 2)]);
      },
    ),
    { numRuns: 120, seed: 5 },
  );
});

test("a pointer is found however wastefully another tool compressed it", async () => {
  const oid = oidOf("wasteful");
  const text = Buffer.from(lfsPointer(oid, 5));
  // Every byte is a stored block of its own: six times the size, where zlib never adds more than some dozen bytes.
  const blocks = [...text].flatMap((byte) => [0, 1, 0, 0xfe, 0xff, byte]);
  const checksum = deflateSync(text).subarray(-4);
  const body = Buffer.from([0x78, 0x01, ...blocks, 1, 0, 0, 0xff, 0xff, ...checksum]);
  const size = Buffer.from([0x80 | (3 << 4) | (text.length % 16), text.length >> 4]);
  const pack = Buffer.concat([Buffer.from("PACK\0\0\0\x02\0\0\0\x01", "latin1"), size, body]);
  const trailer = createHash("sha1").update(pack).digest();
  expect(await scan(Buffer.concat([pack, trailer]), [])).toEqual([oid]);
});

test("a search ends at its limits with what it has found, and the rest of the pack passes unread", async () => {
  const pack = makeRepository("limited", "sha1");
  const all = await scan(pack, []);
  const cuts = Array.from({ length: 99 }, (_, at) => Math.floor(((at + 1) * pack.length) / 100));
  const searched = async (limits: Partial<ScanLimits>) =>
    await scan(pack, cuts, "sha1", { packBytes: pack.length, inflatedBytes: 1024 ** 3, ...limits });
  expect(await searched({})).toEqual(all);
  const sizes: number[] = [];
  for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
    const found = await searched({ packBytes: Math.floor(share * pack.length) });
    expect(all).toEqual(expect.arrayContaining(found));
    sizes.push(found.length);
  }
  expect(sizes[0]).toBe(0);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  const inflated: number[] = [];
  for (const inflatedBytes of [0, 5_000, 50_000, 500_000, 1024 ** 3]) {
    const found = await searched({ inflatedBytes });
    expect(all).toEqual(expect.arrayContaining(found));
    inflated.push(found.length);
  }
  expect(inflated[0]).toBe(0);
  expect(inflated).toEqual(inflated.toSorted((one, other) => one - other));
  expect(inflated.at(-1)).toBe(all.length);
});
