import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { ordinaryHistory } from "#connectors/toolkit/simulator/seed-prose.ts";
import { startGithubSimulator } from "./github-simulator.ts";
import { DEMO_REPOSITORIES } from "./seed-repositories.ts";
import { git, githubForTest, temporaryFolder } from "./test-world.ts";
import { issueUserToken } from "./tokens.ts";

async function bareRepository(root: string, owner: string, name: string): Promise<string> {
  const directory = path.join(root, owner, `${name}.git`);
  mkdirSync(directory, { recursive: true });
  runGit(null, ["init", "--quiet", "--bare", "--initial-branch=main", directory]);
  const script = createHistoryScript();
  ordinaryHistory(script, { seed: 5, commits: 8, folder: "src", extension: "txt" });
  await importHistory(directory, script.parts());
  return directory;
}

test("every bare repository below SIM_GIT_ROOT is served, and one that appears later too", async () => {
  const gitRoot = temporaryFolder();
  await bareRepository(gitRoot, "harbour-works", "crane");
  await bareRepository(gitRoot, "nora-lindqvist", "garden");
  const github = await githubForTest({ settings: { gitRoot } });
  const token = github.tokenOf("nora-lindqvist");
  const names = async () => {
    const listed = (await (await github.ask("/user/repos", token)).json()) as { full_name: string }[];
    return listed.map(({ full_name }) => full_name);
  };
  expect(await names()).toEqual(["harbour-works/crane", "nora-lindqvist/garden"]);
  expect(await (await github.ask("/user/orgs", token)).text()).toContain("harbour-works");
  await bareRepository(gitRoot, "harbour-works", "winch");
  expect(await names()).toContain("harbour-works/winch");
  const folder = temporaryFolder();
  const remote = github.remote("harbour-works/winch", token);
  expect((await git(folder, "clone", "--quiet", remote, "winch")).code).toBe(0);
  const push = await git(path.join(folder, "winch"), "push", "origin", "HEAD:other");
  expect(push.stderr).toContain("403");
  renameSync(path.join(gitRoot, "harbour-works", "winch.git"), path.join(gitRoot, "away"));
  expect(await names()).not.toContain("harbour-works/winch");
});

test("a simulator that is started again in its folder knows people, tokens and repositories", async () => {
  const directory = temporaryFolder();
  const first = await startGithubSimulator({ directory, seed: "people" });
  const token = issueUserToken(first.world, { login: "nora-lindqvist", scopes: null }).value;
  const create = await fetch(`${first.apiUrl}/user/repos`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "User-Agent": "holdfast-test" },
    body: JSON.stringify({ name: "kept" }),
  });
  const { id } = (await create.json()) as { id: number };
  await fetch(`${first.webUrl}/__sim/github/repos/nora-lindqvist/kept/commits`, {
    method: "POST",
    body: '{"count":3}',
  });
  await first.stop();
  const second = await startGithubSimulator({ directory, seed: "people" });
  onTestFinished(() => second.stop());
  const found = await fetch(`${second.apiUrl}/repositories/${id}`, {
    headers: { Authorization: `Bearer ${token}`, "User-Agent": "holdfast-test" },
  });
  expect(await found.json()).toMatchObject({ full_name: "nora-lindqvist/kept", default_branch: "main" });
  const heads = runGit(path.join(directory, "repositories", `${id}.git`), ["rev-list", "--count", "main"]);
  expect(heads.trim()).toBe("3");
  expect(second.world.state.accounts.filter(({ login }) => login === "nora-lindqvist")).toHaveLength(1);
});

test("a first start that was interrupted begins again", async () => {
  const directory = temporaryFolder();
  const child = spawn(process.execPath, [
    ...["--import", "tsx", "tests/simulators/serve.ts"],
    ...["--dir", directory, "--port", "0"],
  ]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const repositories = path.join(directory, "github", "repositories");
  while (!existsSync(repositories) || readdirSync(repositories).length < 3) await sleep(5);
  child.kill("SIGKILL");
  await once(child, "exit");
  const github = await startGithubSimulator({ directory: path.join(directory, "github") });
  onTestFinished(() => github.stop());
  expect(github.world.state.repositories).toHaveLength(DEMO_REPOSITORIES.length);
  const made = readdirSync(repositories).filter((name) => /^\d+\.git$/.test(name));
  expect(made).toHaveLength(DEMO_REPOSITORIES.length);
});

test("the demo's histories are the same at every start", async () => {
  const heads = async () => {
    const directory = temporaryFolder();
    const github = await startGithubSimulator({ directory });
    await github.stop();
    const all = github.world.state.repositories.map(({ id, name }) => {
      const git = path.join(directory, "repositories", `${id}.git`);
      return `${name}\n${runGit(git, ["for-each-ref", "--format=%(objectname) %(refname)"])}`;
    });
    rmSync(directory, { recursive: true });
    return all;
  };
  expect(await heads()).toEqual(await heads());
});
