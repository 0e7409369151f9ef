import { Gitlab } from "@gitbeaker/rest";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { findUser } from "./namespaces.ts";
import { codeDirectory } from "./projects.ts";
import { gitlabForTest } from "./test-world.ts";
import { issueToken } from "./tokens.ts";

test("calls that people try with a client that is not ours work, and none is unknown", async () => {
  const gitlab = await gitlabForTest();
  const { world } = gitlab;
  const token = issueToken(world, { userId: findUser(world, "nora-lindqvist")!.id, scopes: ["api"] }).value;
  const api = new Gitlab({ host: gitlab.url, oauthToken: token });
  const { id } = await api.Projects.create({ name: "Depot", visibility: "private" });
  const directory = codeDirectory(world, world.state.projects.find((project) => project.id === id)!);
  await addCommits(directory, { count: 4 });
  runGit(directory, ["branch", "feature", "main"]);
  await addCommits(directory, { count: 2, branch: "feature" });
  runGit(directory, ["tag", "v1", "main"]);
  const [file = ""] = runGit(directory, ["ls-tree", "-r", "--name-only", "main"]).split("\n");
  const sha = runGit(directory, ["rev-parse", "main"]).trim();
  const { iid } = await api.Issues.create(id, "Crane");
  await api.IssueNotes.create(id, iid, "Greased");
  const request = await api.MergeRequests.create(id, "feature", "main", "Proposal");
  const calls: Record<string, () => Promise<unknown>> = {
    "Users.showCurrentUser": () => api.Users.showCurrentUser(),
    "Projects.all": () => api.Projects.all({ membership: true }),
    "Projects.show": () => api.Projects.show(id),
    "Projects.allForks": () => api.Projects.allForks(id),
    "Projects.allStarrers": () => api.Projects.allStarrers(id),
    "Projects.showLanguages": () => api.Projects.showLanguages(id),
    "Groups.all": () => api.Groups.all(),
    "ProjectMembers.all": () => api.ProjectMembers.all(id),
    "Branches.all": () => api.Branches.all(id),
    "Branches.show": () => api.Branches.show(id, "main"),
    "Tags.all": () => api.Tags.all(id),
    "Commits.all": () => api.Commits.all(id),
    "Commits.show": () => api.Commits.show(id, sha),
    "Commits.showDiff": () => api.Commits.showDiff(id, sha),
    "Repositories.allRepositoryTrees": () => api.Repositories.allRepositoryTrees(id),
    "Repositories.compare": () => api.Repositories.compare(id, "main", "feature"),
    "Repositories.allContributors": () => api.Repositories.allContributors(id),
    "RepositoryFiles.show": () => api.RepositoryFiles.show(id, file, "main"),
    "Issues.all": () => api.Issues.all({ projectId: id }),
    "Issues.show": () => api.Issues.show(iid, { projectId: id }),
    "IssueNotes.all": () => api.IssueNotes.all(id, iid),
    "MergeRequests.all": () => api.MergeRequests.all({ projectId: id }),
    "MergeRequests.show": () => api.MergeRequests.show(id, request.iid),
    "MergeRequests.allDiffs": () => api.MergeRequests.allDiffs(id, request.iid),
    "MergeRequests.allCommits": () => api.MergeRequests.allCommits(id, request.iid),
    "ProjectLabels.all": () => api.ProjectLabels.all(id),
    "ProjectMilestones.all": () => api.ProjectMilestones.all(id),
    "ProjectReleases.all": () => api.ProjectReleases.all(id),
    "ProjectIssueBoards.all": () => api.ProjectIssueBoards.all(id),
    "ProjectHooks.all": () => api.ProjectHooks.all(id),
    "ProtectedBranches.all": () => api.ProtectedBranches.all(id),
    "ProjectVariables.all": () => api.ProjectVariables.all(id),
    "ProjectSnippets.all": () => api.ProjectSnippets.all(id),
    "ProjectWikis.all": () => api.ProjectWikis.all(id),
    "Pipelines.all": () => api.Pipelines.all(id),
  };
  const failed: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const fault = await call().then(
      () => null,
      (error) => `${name}: ${error.cause?.response?.status ?? ""} ${error.message}`,
    );
    if (fault !== null) failed.push(fault);
  }
  expect(failed).toEqual([]);
  expect(gitlab.log.refusals()).toEqual([]);
});
