import { afterAll, beforeAll, expect, test } from "vitest";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { connector } from "./connector.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

test("forty discussions cost few points, and those who reacted cost a point more for each hundred things", async () => {
  const repository = await world.makeRepository("talkative");
  const { fullName } = world.reference(repository);
  const happen = async (what: string, order: object) => {
    const url = `${world.simulator.url}/__sim/github/repos/${fullName}/${what}`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(order) })).status).toBe(200);
  };
  await happen("generate", { discussions: 40 });
  await happen("features", { hasDiscussions: true });
  const records = world.simulator.world.records.of(repository);
  for (const thing of [...records.discussions, ...records.discussionComments]) {
    thing.reactions = [
      { id: thing.id + 1, login: "ivo-petrov", content: "rocket", createdAt: "2026-03-01T10:00:00Z" },
    ];
  }
  let points = 0;
  let left: number | null = null;
  const by = world.session({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!url.endsWith("/graphql") || typeof init?.body !== "string") return answer;
      const now = Number(answer.headers.get("x-ratelimit-remaining"));
      if (left !== null && /query (MoreReplies|MoreComments|Discussions|Reactions)/.test(init.body))
        points += left - now;
      left = now;
      return answer;
    },
  });
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const version = await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
  const reacted = [...version.entries.values()].filter(({ info }) => info.kind.startsWith("discussion"));
  expect(reacted).toHaveLength(records.discussions.length + records.discussionComments.length);
  for (const { info } of reacted)
    expect(await version.readRecord(info.path)).toMatchObject({ reactions: { rocket: ["ivo-petrov"] } });
  expect(points).toBeLessThanOrEqual(16);
});
