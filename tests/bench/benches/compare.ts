import { join } from "node:path";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { compareRecords } from "#core/comparisons/index.ts";
import { randomBytes } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { type ManifestEntry, type ManifestRef, openManifest } from "#core/vault/index.ts";
import { createManifestWriter } from "#core/vault/manifest-writer.ts";
import { createPackWriter, hashOf } from "#core/vault/record-pack.ts";
import { memoryBucket } from "#tests/harness/memory-bucket.ts";
import { memoryRegistry } from "#tests/harness/memory-registry.ts";
import { type Bench, check, finding, timed } from "../bench.ts";
import { type Pair, ratioOf } from "../statistics.ts";

const RECORDS = 100_000;
const CHANGES = 10;
const scope = { organisationId: "org_bench", itemId: "itm_bench" };
const facts = { apiVersion: "1", account: "bench", reported: {}, skipped: [], skippedCount: 0 };

/**
 * P17: comparing two versions of 100,000 records, ten of them changed, against reading both lists in full, and against
 * git naming the changed files between two commits of the same paths.
 */
export const compareVersions: Bench = {
  id: "P17",
  run: async ({ sizes, say, folder }) => {
    const organisationKey = { version: 1, bytes: randomBytes(32) };
    const clock = { now: () => 0 };
    const deps = {
      bucket: memoryBucket(),
      registry: memoryRegistry(),
      organisationKey,
      ids: randomIds,
      clock,
    };
    const open = (ref: ManifestRef) => openManifest(deps, { scope, ref });
    async function write(
      isChanged: (at: number) => boolean,
      previous: ManifestRef | null,
    ): Promise<ManifestRef> {
      const packs = createPackWriter(deps, { scope, runId: "run_bench", onWritten: () => {} });
      const writer = createManifestWriter(packs, previous && (await open(previous)));
      for (let at = 0; at < RECORDS; at++) await writer.add(entryOf(at, isChanged(at)));
      const { written } = await writer.finish(facts);
      await packs.flush();
      return written ?? previous!;
    }
    const first = await write(() => false, null);
    const second = await write(isOneOfTen, first);
    const repository = await twoCommits(folder);
    const words = { issue: { one: "issue", many: "issues" } };
    const compare = async () => {
      const [took, { kinds }] = await timed(async () =>
        compareRecords(await open(first), await open(second), words),
      );
      check(kinds[0]?.changed === CHANGES && kinds[0].added === 0, "the ten changes and nothing else");
      return took;
    };
    const commits: Pair[] = [];
    for (let round = 0; round <= sizes.rounds; round++) {
      const [theirs, named] = await timed(() =>
        runGit(repository, ["diff-tree", "-r", "--name-only", "main~1", "main"]),
      );
      check(named.trim().split("\n").length === CHANGES, "ten files and nothing else");
      const ours = await compare();
      say(`${RECORDS} records, ${CHANGES} changes: ${ours.toFixed(1)} ms, git ${theirs.toFixed(1)} ms`);
      if (round > 0) commits.push({ ours, theirs });
    }
    // Separate from the rounds above: lists of this length leave much garbage to collect.
    const lists: Pair[] = [];
    for (let round = 0; round <= sizes.rounds; round++) {
      const ours = await compare();
      const [theirs, read] = await timed(async () => {
        let count = 0;
        for (const ref of [first, second]) for await (const _ of (await open(ref)).entries()) count += 1;
        return count;
      });
      check(read === 2 * RECORDS, "every entry of both lists");
      say(
        `${RECORDS} records, ${CHANGES} changes: ${ours.toFixed(1)} ms, both lists ${theirs.toFixed(0)} ms`,
      );
      if (round > 0) lists.push({ ours, theirs });
    }
    const fastest = Math.min(...[...commits, ...lists].map(({ ours }) => ours));
    const note = `${RECORDS} records, ${CHANGES} changed; ${fastest.toFixed(0)} ms at best`;
    return [
      finding(
        { id: "P17", what: "comparing two versions / reading both lists of entries", note },
        ratioOf(lists),
        { atMost: 0.2 },
      ),
      finding(
        { id: "P17", what: "comparing two versions / git diff-tree of two commits of the same paths", note },
        ratioOf(commits),
        { atMost: 2 },
      ),
    ];
  },
};

const isOneOfTen = (at: number) => at % (RECORDS / CHANGES) === 77;
const pathOf = (at: number) => `issues/${String(at).padStart(12, "0")}/issue.json`;

/** A packed repository whose two commits hold the same paths as the two versions. */
async function twoCommits(folder: string): Promise<string> {
  const path = join(folder, "peer.git");
  runGit(null, ["init", "-q", "--bare", "-b", "main", path]);
  const head = "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 0\n";
  const file = (at: number, text: string) => `M 100644 inline ${pathOf(at)}\ndata ${text.length}\n${text}\n`;
  function* history(): Generator<string> {
    yield head;
    for (let at = 0; at < RECORDS; at++) yield file(at, `${at}`);
    yield head;
    for (let at = 0; at < RECORDS; at++) if (isOneOfTen(at)) yield file(at, `${at} changed`);
  }
  await importHistory(path, history());
  return path;
}

function entryOf(at: number, isChanged: boolean): ManifestEntry {
  const path = pathOf(at);
  const content = isChanged ? `${path} changed` : path;
  const where = { object: "obj_data", offset: 0, length: content.length, method: 0 as const };
  const title = `#${at} A title of the usual length`;
  return {
    path,
    kind: "issue",
    type: "record",
    title,
    sizeBytes: content.length,
    hash: hashOf(content),
    crc32: 1,
    where,
  };
}
