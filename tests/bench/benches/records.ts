import { connector } from "#connectors/platforms/github/connector.ts";
import { openGithubWorld } from "#connectors/platforms/github/test-world.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { type Bench, check, finding, timed } from "../bench.ts";

/**
 * P3: requests for issues with their comments, against reading them one by one as command line tools do: pages of open
 * and of closed issues, then the comments of each issue.
 */
export const records: Bench = {
  id: "P3",
  run: async ({ sizes, say }) => {
    const world = await openGithubWorld();
    try {
      const { issues } = sizes;
      const repository = await world.makeRepository("records");
      const happen = async (what: string, order: object) => {
        const url = `${world.simulator.url}/__sim/github/repos/${world.reference(repository).fullName}/${what}`;
        const answer = await fetch(url, { method: "POST", body: JSON.stringify(order) });
        check(answer.ok, `${what} at the platform`);
      };
      await happen("generate", { issues, commentsPerIssue: 2 });
      let now = Date.now();
      while (isWholeDay(String(repository.id), now)) now += DAY_MS;
      const backUp = async (previous: MemorySnapshot | null) => {
        const base = world.session();
        const session = { ...base, clock: { now: () => now } };
        const reference = { kind: "repository", ...world.reference(repository) };
        const item = await connector.getItem(session, reference);
        const events = connector.backUp(session, { item, previous, cursor: null });
        const [milliseconds, snapshot] = await timed(() => takeSnapshot(events, previous));
        const asked = session.requests.filter(({ url }) =>
          /\/(issues|pulls|graphql)([/?]|$)/.test(url),
        ).length;
        return { milliseconds, snapshot, asked };
      };
      const comments = ({ entries }: MemorySnapshot) =>
        [...entries.values()].filter(({ info }) => info.kind === "issue-comment").length;
      const first = await backUp(null);
      check(comments(first.snapshot) === 2 * issues, "every comment is in the version");
      const changed = Math.ceil(issues / 100);
      const by = world.accountName;
      for (let number = 1; number <= changed; number++) await happen("comments/add", { number, by });
      const second = await backUp(first.snapshot);
      check(comments(second.snapshot) === 2 * issues + changed, "every new comment is in the next version");
      const oneByOne = { full: Math.ceil(issues / 100) + 1 + issues, next: 2 + changed };
      say(`full ${first.asked} requests in ${first.milliseconds.toFixed(0)} ms, next ${second.asked}`);
      const result = (what: string, ours: number, theirs: number, atMost: number) =>
        finding(
          { id: "P3", what, note: `${ours} requests against ${theirs}; ${issues} issues, two comments each` },
          { median: ours / theirs, least: ours / theirs, most: ours / theirs },
          { atMost },
        );
      return [
        result("requests of a first backup / one by one", first.asked, oneByOne.full, 1),
        result("requests with 1 % changed / one by one", second.asked, oneByOne.next, 0.2),
      ];
    } finally {
      await world.stop();
    }
  },
};
