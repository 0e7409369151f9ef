import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { createdBy } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { isDeep, samplePoints, sweep } from "#tests/harness/sample.ts";
import { generateIssues } from "../simulator/generate.ts";
import { linkIssues, transitionIssue, transitionsFrom } from "../simulator/issues.ts";
import { exhaust } from "../simulator/limits.ts";
import type { Project } from "../simulator/state.ts";
import { openRestoreBench, type RestoreBench } from "../test-bench.ts";
import { contentOf, reportOf } from "../test-outcomes.ts";

const ISSUES = isDeep() ? 2_000 : 120;
const STRIKES = isDeep() ? 150 : 20;
const PATIENCE_MS = isDeep() ? 1_200_000 : 60_000;

let bench: RestoreBench;
beforeAll(async () => {
  bench = await openRestoreBench();
});
afterAll(() => bench.stop());

/** Many issues with comments, work, files, statuses and links. */
function fill(project: Project): void {
  const { site, personId } = bench;
  const { world } = bench.simulator;
  const nora = personId("nora");
  const [comments, worklogs, attachments] = [ISSUES, ISSUES / 10, ISSUES / 20];
  const made = generateIssues(world, site, project, {
    ...{ issues: ISSUES, comments, worklogs, attachments, attachmentBytes: 20 },
  });
  for (const [index, issue] of made.entries()) {
    const ways = transitionsFrom(site, issue);
    if (index % 3 > 0) transitionIssue(world, site, nora, { issue, transition: ways[index % ways.length]! });
    if (index % 10 === 0 && index > 0)
      linkIssues(world, site, nora, { typeId: site.linkTypes[0]!.id, from: issue, to: made[index - 1]! });
  }
}

test(
  "a restore of many issues, struck at many calls and at the end of the quota, makes each thing once",
  async () => {
    const source = bench.makeProject("MANY");
    fill(source);
    const version = await bench.backUp(source);
    const whole = bench.makeProject("WHOLE");
    const calm = bench.session();
    const first = await bench.restoreInto(version, whole, { by: calm });
    const all = calm.requests.length;

    await sweep(async () => {
      const target = bench.makeProject("STRUCK");
      const strikes = new Set(samplePoints(all, STRIKES));
      const dry = Math.floor(all / 2);
      const { world } = bench.simulator;
      let [sent, struck, waited] = [0, 0, 0];
      const by = bench.session({
        fetch: async (url, init) => {
          sent += 1;
          if (sent === dry) exhaust(world, null);
          if (!strikes.has(sent)) return await fetch(url, init);
          struck += 1;
          // In turns the call never leaves, and its answer never arrives.
          if (struck % 2 === 0) await (await fetch(url, init)).body?.cancel();
          throw new Error("The worker died.");
        },
      });
      const journal = memoryJournal();
      const attempt = async () => {
        try {
          return await bench.restoreInto(version, target, { journal, by });
        } catch (error) {
          if (error instanceof ConnectorError && error.kind === "rate-limited") {
            expect(error.retryAt ?? 0).toBeGreaterThan(Date.now());
            waited += 1;
            // The hour has passed.
            world.ledger.windows.clear();
          }
          return null;
        }
      };
      let done = await attempt();
      while (done === null) done = await attempt();
      expect([waited, struck]).toEqual([1, strikes.size]);
      expect(createdBy(done.events)).toEqual(createdBy(first.events));
      expect(bench.issuesIn(target)).toHaveLength(ISSUES);
      expect(contentOf(bench, target)).toBe(contentOf(bench, whole));
      expect(reportOf(done.events, target)).toEqual(reportOf(first.events, whole));
    });
  },
  PATIENCE_MS,
);
