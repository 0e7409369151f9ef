import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { githubForTest } from "./test-world.ts";

test("the demo has enough content, and every response about it fits the contract", {
  timeout: 120_000,
}, async () => {
  const github = await githubForTest({ seed: "demo" });
  const token = github.tokenOf("nora-lindqvist");
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl, throttle: { enabled: false } });
  const at = { owner: "meridian-freight", repo: "route-planner", per_page: 100 };
  const issues = await octokit.rest.issues.listForRepo({ ...at, state: "all" });
  expect(issues.data.length).toBeGreaterThan(50);
  expect(issues.data.some(({ user }) => user?.login === "ghost")).toBe(true);
  const pulls = await octokit.rest.pulls.list({ ...at, state: "all" });
  expect(pulls.data.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1]);
  expect(pulls.data.some(({ merged_at }) => merged_at !== null)).toBe(true);
  for (const listing of [
    "issues/comments",
    "issues/events",
    "pulls/comments",
    "labels",
    "milestones?state=all",
    "releases",
    "hooks",
    "rulesets",
    "environments",
    "pulls/1/reviews",
    "pulls/1",
    "branches/main/protection",
    "collaborators",
  ]) {
    const answer = await github.ask(`/repos/${at.owner}/${at.repo}/${listing}`, token);
    const isFilled = (await answer.text()).length > 100;
    expect([listing, answer.status, isFilled]).toEqual([listing, 200, true]);
  }
  const gists = await octokit.rest.gists.list();
  expect(gists.data.map((gist) => gist.public)).toEqual([false, true, false, true]);
  expect(github.log.refusals()).toEqual([]);
});
