import { afterAll, beforeAll, expect, test } from "vitest";
import { type GitServer, startGitServer } from "#connectors/toolkit/simulator/git-server.ts";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { backUpRepository } from "./back-up-repository.ts";
import { findChain } from "./git-chain.ts";
import { cutHistory } from "./split-history.ts";
import { PLATFORM } from "./test-versions.ts";

const COMMITS = 90;
/** A size that the platform reports: above its limit by five parts. */
const SIZE_HINT = PLATFORM.splitAboveBytes + 3 * 64 * 1024 ** 2;

let workshop: GitWorkshop;
let server: GitServer;
beforeAll(async () => {
  workshop = openGitWorkshop();
  server = await startGitServer(workshop.folder);
  workshop.git(".", ["init", "-q", "-b", "main", "work"]);
  const noise = (round: number) =>
    Array.from({ length: 400 }, (_, at) => Math.sin(round * 1e4 + at)).join("\n");
  for (let round = 0; round < COMMITS; round++) {
    if (round % 30 === 10) workshop.git("work", ["checkout", "-q", "-b", `side-${round}`]);
    workshop.write(`work/file-${round % 7}.txt`, noise(round));
    workshop.commit("work", `Round ${round}`);
    if (round % 30 === 20) {
      workshop.git("work", ["checkout", "-q", "main"]);
      workshop.write("work/own.txt", noise(-round));
      workshop.commit("work", `Meanwhile ${round}`);
      workshop.git("work", ["merge", "-q", "--no-ff", "-m", "Merge", `side-${round - 10}`]);
    }
  }
  workshop.git(".", ["clone", "-q", "--mirror", "work", "served.git"]);
}, 120_000);
afterAll(async () => {
  await server.close();
  workshop.remove();
});

const remote = () => ({ url: `${server.url}/served.git`, fetch: globalThis.fetch, stallMs: 30_000 });

async function backUp(cursor: Parameters<typeof backUpRepository>[0]["cursor"] = null) {
  const order = { platform: PLATFORM, remote: remote(), prefix: "git/", previous: null, cursor };
  return await takeSnapshot(backUpRepository({ ...order, sizeHintBytes: SIZE_HINT }), null);
}

test("a cut names commits whose histories grow from one to the next, up to the tip", async () => {
  const tip = workshop.git("served.git", ["rev-parse", "main"]).trim();
  const cuts = await cutHistory(remote(), { wants: [tip], objectFormat: "sha1", parts: 5 });
  expect(cuts).toHaveLength(4);
  const behind = cuts.map((commits) =>
    Number(workshop.git("served.git", ["rev-list", "--count", ...commits])),
  );
  const all = Number(workshop.git("served.git", ["rev-list", "--count", tip]));
  expect(behind).toEqual(behind.toSorted((one, other) => one - other));
  expect(behind[0]).toBeGreaterThan(0);
  // Each part has a share of the commits that is not far from a fifth.
  const shares = [...behind, all].map((count, at) => count - (behind[at - 1] ?? 0));
  for (const share of shares) expect(share).toBeLessThan((2 * all) / 5);
});

test("the parts of a history without tags hold every object once, and together are a sound repository", async () => {
  const snapshot = await backUp();
  const chain = (await findChain(snapshot, "git/"))!;
  expect(chain.packs).toHaveLength(5);
  const total = chain.packs.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { bytes } of chain.packs) expect(bytes).toBeLessThan(total / 2);
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "joined.git"]);
  for (const { path } of chain.packs) {
    const parts: Uint8Array[] = [];
    for await (const chunk of snapshot.read(path)) parts.push(chunk.slice());
    const name = `joined.git/objects/pack/pack-${path.slice(-9, -5)}.pack`;
    workshop.write(name, Buffer.concat(parts));
    // Without the others: a part may name objects of an older one, but no delta may need one.
    workshop.git("joined.git", ["index-pack", `objects/pack/${name.split("/").at(-1)}`]);
  }
  const names = (at: string) =>
    workshop.git(at, ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]).split("\n").sort();
  expect(names("joined.git")).toEqual(names("served.git"));
  expect(chain.packs.reduce((sum, { objects }) => sum + objects, 0)).toBe(
    names("served.git").filter(Boolean).length,
  );
  const tip = workshop.git("served.git", ["rev-parse", "main"]).trim();
  workshop.git("joined.git", ["update-ref", "refs/heads/main", tip]);
  workshop.git("joined.git", ["fsck", "--full", "--strict"]);
});

test("a backup that stops between two parts goes on with the next one", async () => {
  const whole = await backUp();
  const chain = (await findChain(whole, "git/"))!;
  expect(whole.checkpoints).toHaveLength(5);
  const cursor = whole.checkpoints[2]!;
  const wanted: string[] = [];
  const order = { platform: PLATFORM, remote: remote(), prefix: "git/", previous: null, cursor };
  for await (const event of backUpRepository({ ...order, sizeHintBytes: SIZE_HINT })) {
    if (event.type === "stream") {
      wanted.push(event.path);
      await event.write({ write: () => undefined });
    }
    if (event.type === "record" && event.kind === "git-chain") expect(event.value).toEqual({ ...chain });
  }
  expect(wanted).toEqual(chain.packs.slice(3).map(({ path }) => path));
});
