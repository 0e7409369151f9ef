import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { GithubSimulatorOptions } from "../github-simulator.ts";
import { createRepository, gitDirectory } from "../repositories.ts";
import { githubForTest } from "../test-world.ts";

const ORG = "meridian-freight";
const AT = { owner: ORG, repo: "depot" };
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

/** A repository with a history, a tag, a pull request, an issue, a milestone and a release. */
async function depot(settings: GithubSimulatorOptions["settings"] = {}) {
  const github = await githubForTest({ settings });
  const made = createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const directory = gitDirectory(github.world, made);
  await addCommits(directory, { count: 4 });
  runGit(directory, ["branch", "feature", "main"]);
  await addCommits(directory, { count: 2, branch: "feature" });
  const who = ["-c", "user.name=Nora Lindqvist", "-c", "user.email=nora@meridian.example"];
  runGit(directory, [...who, "tag", "-a", "v1", "-m", "First", "main"]);
  const octokit = new Octokit({
    ...{ auth: github.tokenOf("nora-lindqvist"), baseUrl: github.apiUrl },
    ...UNHURRIED,
  });
  return { github, directory, octokit };
}

test("forty calls that people try with GitHub's own client work, and none is unknown", async () => {
  const { github, directory, octokit } = await depot();
  const { rest } = octokit;
  const issue_number = (await rest.issues.create({ ...AT, title: "Crane", body: "Stuck" })).data.number;
  const comment = await rest.issues.createComment({ ...AT, issue_number, body: "Greased" });
  await rest.issues.update({ ...AT, issue_number, state: "closed", state_reason: "completed" });
  await rest.issues.createMilestone({ ...AT, title: "Spring" });
  const pull_number = (await rest.pulls.create({ ...AT, title: "Proposal", head: "feature", base: "main" }))
    .data.number;
  await rest.repos.createRelease({ ...AT, tag_name: "v1", name: "First" });
  const objectOf = (name: string) => runGit(directory, ["rev-parse", name]).trim();
  const [commit, tag] = [objectOf("main"), objectOf("v1")];
  const [file = ""] = runGit(directory, ["ls-tree", "-r", "--name-only", "main"]).split("\n");
  const folder = file.split("/")[0] ?? "";
  const blob = objectOf(`main:${file}`);
  const calls: Record<string, () => Promise<{ status: number }>> = {
    "repos.get": () => rest.repos.get(AT),
    "repos.listBranches": () => rest.repos.listBranches(AT),
    "repos.getBranch": () => rest.repos.getBranch({ ...AT, branch: "feature" }),
    "repos.listTags": () => rest.repos.listTags(AT),
    "repos.listCommits": () => rest.repos.listCommits({ ...AT, sha: "feature", per_page: 3 }),
    "repos.getCommit": () => rest.repos.getCommit({ ...AT, ref: "main" }),
    "repos.compareCommits": () =>
      rest.repos.compareCommitsWithBasehead({ ...AT, basehead: "main...feature" }),
    "repos.getContent of a file": () => rest.repos.getContent({ ...AT, path: file, ref: "v1" }),
    "repos.getContent of a folder": () => rest.repos.getContent({ ...AT, path: folder }),
    "repos.getContent of the top": () => rest.repos.getContent({ ...AT, path: "" }),
    "repos.listContributors": () => rest.repos.listContributors(AT),
    "repos.listLanguages": () => rest.repos.listLanguages(AT),
    "repos.getAllTopics": () => rest.repos.getAllTopics(AT),
    "repos.listForks": () => rest.repos.listForks(AT),
    "repos.listTeams": () => rest.repos.listTeams(AT),
    "repos.listCollaborators": () => rest.repos.listCollaborators(AT),
    "repos.listReleases": () => rest.repos.listReleases(AT),
    "repos.getLatestRelease": () => rest.repos.getLatestRelease(AT),
    "repos.getReleaseByTag": () => rest.repos.getReleaseByTag({ ...AT, tag: "v1" }),
    "repos.getCombinedStatusForRef": () => rest.repos.getCombinedStatusForRef({ ...AT, ref: "main" }),
    "checks.listForRef": () => rest.checks.listForRef({ ...AT, ref: "main" }),
    "activity.listStargazersForRepo": () => rest.activity.listStargazersForRepo(AT),
    "git.getRef": () => rest.git.getRef({ ...AT, ref: "heads/main" }),
    "git.listMatchingRefs": () => rest.git.listMatchingRefs({ ...AT, ref: "heads/" }),
    "git.getTree": () => rest.git.getTree({ ...AT, tree_sha: "main", recursive: "1" }),
    "git.getBlob": () => rest.git.getBlob({ ...AT, file_sha: blob }),
    "git.getCommit": () => rest.git.getCommit({ ...AT, commit_sha: commit }),
    "git.getTag": () => rest.git.getTag({ ...AT, tag_sha: tag }),
    "issues.listForRepo": () => rest.issues.listForRepo({ ...AT, state: "all" }),
    "issues.get": () => rest.issues.get({ ...AT, issue_number }),
    "issues.listComments": () => rest.issues.listComments({ ...AT, issue_number }),
    "issues.getComment": () => rest.issues.getComment({ ...AT, comment_id: comment.data.id }),
    "issues.listLabelsForRepo": () => rest.issues.listLabelsForRepo(AT),
    "issues.listMilestones": () => rest.issues.listMilestones(AT),
    "issues.listEventsForRepo": () => rest.issues.listEventsForRepo(AT),
    "pulls.list": () => rest.pulls.list(AT),
    "pulls.get": () => rest.pulls.get({ ...AT, pull_number }),
    "pulls.listFiles": () => rest.pulls.listFiles({ ...AT, pull_number }),
    "pulls.listCommits": () => rest.pulls.listCommits({ ...AT, pull_number }),
    "pulls.listReviews": () => rest.pulls.listReviews({ ...AT, pull_number }),
    "orgs.listMembers": () => rest.orgs.listMembers({ org: ORG }),
    "rateLimit.get": () => rest.rateLimit.get(),
  };
  const failed: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const status = await call().then(
      (answer) => answer.status,
      (error) => `${error.status} ${error.message}`,
    );
    if (status !== 200) failed.push(`${name}: ${status}`);
  }
  expect(failed).toEqual([]);
  expect(Object.keys(calls).length).toBeGreaterThanOrEqual(40);
  expect(github.log.refusals()).toEqual([]);
});

test("commits, comparisons and files are those that git has", async () => {
  const { directory, octokit } = await depot();
  const { rest } = octokit;
  const shas = runGit(directory, ["rev-list", "feature"]).trim().split("\n");
  const listed = await octokit.paginate(rest.repos.listCommits, { ...AT, sha: "feature", per_page: 2 });
  expect(listed.map(({ sha }) => sha)).toEqual(shas);
  const compared = (await rest.repos.compareCommitsWithBasehead({ ...AT, basehead: "main...feature" })).data;
  expect([compared.status, compared.ahead_by, compared.behind_by]).toEqual(["ahead", 2, 0]);
  const counted = runGit(directory, ["diff", "--numstat", "main", "feature"]).trim().split("\n");
  expect(
    compared.files?.map(({ additions, deletions, filename }) => `${additions}\t${deletions}\t${filename}`),
  ).toEqual(counted);
  const [file = ""] = runGit(directory, ["ls-tree", "-r", "--name-only", "main"]).split("\n");
  const { data } = await rest.repos.getContent({ ...AT, path: file });
  const content = "content" in data ? Buffer.from(data.content, "base64").toString() : "";
  expect(content).toBe(runGit(directory, ["show", `main:${file}`]));
  const tree = (await rest.git.getTree({ ...AT, tree_sha: "main", recursive: "1" })).data.tree;
  expect(tree.filter(({ type }) => type === "blob").map(({ path }) => path)).toEqual(
    runGit(directory, ["ls-tree", "-r", "--name-only", "main"]).trim().split("\n"),
  );
});

test("what is not there is not found, and without the permission for contents git data is refused", async () => {
  const { octokit } = await depot();
  const { rest } = octokit;
  const missing = [
    rest.repos.getBranch({ ...AT, branch: "nothing" }),
    rest.git.getRef({ ...AT, ref: "heads/nothing" }),
    rest.git.getTree({ ...AT, tree_sha: "nothing" }),
    rest.repos.getContent({ ...AT, path: "nothing.md" }),
    rest.repos.compareCommitsWithBasehead({ ...AT, basehead: "main...nothing" }),
  ];
  for (const call of missing) await expect(call).rejects.toMatchObject({ status: 404 });
  await expect(rest.repos.getCommit({ ...AT, ref: "nothing" })).rejects.toMatchObject({ status: 422 });
  const { DEFAULT_GITHUB_SETTINGS } = await import("../github-simulator.ts");
  const { contents: _, ...permissions } = DEFAULT_GITHUB_SETTINGS.permissions;
  const poor = await depot({ permissions });
  await expect(poor.octokit.rest.repos.listCommits(AT)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining("Resource not accessible by integration"),
  });
});
