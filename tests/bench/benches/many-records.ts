import { rmSync } from "node:fs";
import { join } from "node:path";
import { openGithubWorld } from "#connectors/platforms/github/test-world.ts";
import { type Bench, check, doRun, type Finding, finding, type Ground, HEAP_MIB, size } from "../bench.ts";
import { benchVars, startRuntime } from "../runtime.ts";
import { openWorld } from "../world.ts";

const CHANGES = 3;
const LIMITS = { rateLimit: 1e9, graphqlLimit: 1e9, tokenLifetimeMs: 1e12 };

/**
 * P3: the whole engine on a repository with very many issues, in a heap as small as production's. The memory of a first
 * backup must not grow with the issues. Three changes may write one object and must request little more than the
 * changed data.
 */
export const manyRecords: Bench = {
  id: "P3",
  run: async (ground) => {
    const [fewer, more] = ground.sizes.records;
    const few = await backUpTwice(ground, fewer);
    const many = await backUpTwice(ground, more);
    const memory = many.peak / few.peak;
    const asked = many.next.requests / many.first.requests;
    const read = many.next.bucketReads / more;
    const about = (what: string, note: string) => ({ id: "P3", what, note });
    const sums = `${more} issues, ${CHANGES} of them changed`;
    return [
      line(
        about(
          `peak memory of a first backup, ${more} / ${fewer} issues`,
          `all of workerd with a heap of ${HEAP_MIB} MiB: ${size(many.peak)} against ${size(few.peak)}`,
        ),
        memory,
        2,
      ),
      line(
        about(
          "objects written when three records of many change",
          `${sums}: one of records, one that describes the version in case the ledger is lost`,
        ),
        many.next.bucketWrites,
        2,
      ),
      line(
        about("reads of the bucket for that / records", `${sums}: ${many.next.bucketReads} reads`),
        read,
        0.01,
      ),
      line(
        about(
          "requests of that backup / of the first one",
          `${sums}: ${many.next.requests} against ${many.first.requests}`,
        ),
        asked,
        0.2,
      ),
    ];
  },
};

function line(about: Pick<Finding, "id" | "what" | "note">, value: number, atMost: number): Finding {
  return finding(about, { median: value, least: value, most: value }, { atMost });
}

/** A first backup in its own process, then another one after a few changes. */
async function backUpTwice(ground: Ground, issues: number) {
  const github = await openGithubWorld(LIMITS);
  const data = join(ground.folder, `records-${issues}`);
  const vars = benchVars(github.simulator.url);
  const open = () => startRuntime({ bundled: ground.bundled, data }, vars, { heapMiB: HEAP_MIB });
  try {
    const repository = await github.makeRepository("records");
    const { externalId, fullName } = github.reference(repository);
    const happen = async (what: string, order: object) => {
      const url = `${github.simulator.url}/__sim/github/repos/${fullName}/${what}`;
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(order) });
      check(answer.ok, `${what} at the platform`);
    };
    await happen("generate", { issues });
    // The token that the bench's connection holds.
    github.simulator.world.state.tokens.at(-1)!.value = "bench";
    let runtime = await open();
    try {
      const world = await openWorld(runtime);
      const order = { world, externalId, name: "records" };
      const { itemId } = await runtime.call<{ itemId: string }>("/item", order);
      const run = () => doRun(runtime, { world, kind: "backup", itemId, isCounted: true });
      const first = await run();
      const peak = runtime.peakMemory();
      const counted = await runtime.call<{ issues: number }>("/records", {
        world,
        snapshotId: first.snapshotId,
      });
      check(counted.issues === issues, "every issue is in the version");
      await runtime.stop();
      await happen("issues/edit", { numbers: [1, Math.ceil(issues / 2), issues].slice(0, CHANGES) });
      runtime = await open();
      const next = await run();
      const after = await runtime.call<{ issues: number }>("/records", {
        world,
        snapshotId: next.snapshotId,
      });
      check(
        after.issues === issues && next.snapshotId !== first.snapshotId,
        "every issue is in the next version",
      );
      ground.say(
        `${issues} issues: ${first.milliseconds.toFixed(0)} ms, ${first.counts.requests} requests, ${size(peak)}; ` +
          `next ${next.counts.requests} requests, ${next.counts.bucketReads} reads, ${next.counts.bucketWrites} writes`,
      );
      return { peak, first: first.counts, next: next.counts };
    } finally {
      await runtime.stop();
    }
  } finally {
    await github.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
