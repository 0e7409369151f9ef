import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { ordinaryHistory } from "#connectors/toolkit/simulator/seed-prose.ts";
import { type GithubSimulator, startGithubSimulator } from "./github-simulator.ts";
import { DEMO_REPOSITORIES } from "./seed-repositories.ts";
import { githubForTest, temporaryFolder } from "./test-world.ts";
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

test("every bare repository below SIM_GIT_ROOT is served, including later ones", async () => {
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

test("a repository below SIM_GIT_ROOT disappears with its folder and returns under the same number", async () => {
  const gitRoot = temporaryFolder();
  const directory = await bareRepository(gitRoot, "harbour-works", "crane");
  const github = await githubForTest({ settings: { gitRoot } });
  const token = github.tokenOf("nora-lindqvist");
  const [{ id }] = (await (await github.ask("/user/repos", token)).json()) as [{ id: number }];
  const status = async () => (await github.ask(`/repositories/${id}`, token)).status;
  expect(await status()).toBe(200);
  rmSync(directory, { recursive: true });
  expect(await status()).toBe(404);
  await bareRepository(gitRoot, "harbour-works", "crane");
  expect(await status()).toBe(200);
  expect((await github.ask(`/repositories/${id}`, token, { method: "DELETE" })).status).toBe(204);
  expect(await status()).toBe(404);
  expect(existsSync(directory)).toBe(true);
});

test("folders with names that GitHub does not allow are served under GitHub's version of the name", async () => {
  const gitRoot = temporaryFolder();
  for (const name of ["with space", "with+space", "foo.git", "Feature", "feature", "日本", "n".repeat(140)]) {
    const directory = await bareRepository(gitRoot, "odd owner_", name);
    writeFileSync(path.join(directory, "description"), name);
  }
  const github = await githubForTest({ settings: { gitRoot } });
  const token = github.tokenOf("nora-lindqvist");
  const listed = (await (await github.ask("/user/repos?per_page=100", token)).json()) as {
    full_name: string;
    description: string;
  }[];
  const names = listed.map(({ full_name, description }) => [
    description,
    full_name.replace("odd-owner/", ""),
  ]);
  expect(Object.fromEntries(names)).toEqual({
    "with space": "with-space",
    "with+space": "with-space-2",
    "foo.git": "foo",
    Feature: "Feature",
    feature: "feature-2",
    日本: "-",
    ["n".repeat(140)]: "n".repeat(96),
  });
  for (const { full_name, description } of listed) {
    const log = await git(temporaryFolder(), "ls-remote", github.remote(full_name, token));
    const own = runGit(path.join(gitRoot, "odd owner_", `${description}.git`), ["rev-parse", "HEAD"]).trim();
    expect(log.stdout).toContain(`${own}\tHEAD`);
  }
});

test("LFS files and a wiki are where git-lfs and GitHub store them", async () => {
  const gitRoot = temporaryFolder();
  const directory = await bareRepository(gitRoot, "harbour-works", "crane");
  await bareRepository(gitRoot, "harbour-works", "crane.wiki");
  const bytes = Buffer.from("a large file");
  const oid = createHash("sha256").update(bytes).digest("hex");
  const folder = path.join(directory, "lfs/objects", oid.slice(0, 2), oid.slice(2, 4));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, oid), bytes);
  const github = await githubForTest({ settings: { gitRoot } });
  const token = github.tokenOf("nora-lindqvist");
  const listed = (await (await github.ask("/user/repos", token)).json()) as { name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(["crane"]);
  const wiki = await git(temporaryFolder(), "ls-remote", github.remote("harbour-works/crane.wiki", token));
  expect(wiki.stdout).toContain("refs/heads/main");
  const type = "application/vnd.git-lfs+json";
  const batch = await fetch(`${github.webUrl}/harbour-works/crane.git/info/lfs/objects/batch`, {
    method: "POST",
    headers: {
      accept: type,
      "content-type": type,
      authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
    },
    body: JSON.stringify({ operation: "download", objects: [{ oid, size: bytes.length }] }),
  });
  const { objects } = (await batch.json()) as { objects: [{ actions: { download: { href: string } } }] };
  const file = await fetch(objects[0].actions.download.href);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
});

test("a simulator restarted in its folder keeps people, tokens and repositories", async () => {
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

/** Every ref of every repository in a simulator's folder, with the repository's name. */
function headsIn(directory: string, { world }: GithubSimulator): string[] {
  return world.state.repositories.map(({ id, name }) => {
    const git = path.join(directory, "repositories", `${id}.git`);
    return `${name}\n${runGit(git, ["for-each-ref", "--format=%(objectname) %(refname)"])}`;
  });
}

test("the demo's histories are equal at every start, also after an interrupted one", async () => {
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
  const interrupted = await startGithubSimulator({ directory: path.join(directory, "github") });
  await interrupted.stop();
  expect(interrupted.world.state.repositories).toHaveLength(DEMO_REPOSITORIES.length);
  const made = readdirSync(repositories).filter((name) => /^\d+\.git$/.test(name));
  expect(made).toHaveLength(DEMO_REPOSITORIES.length);
  const other = temporaryFolder();
  const whole = await startGithubSimulator({ directory: other });
  await whole.stop();
  expect(headsIn(path.join(directory, "github"), interrupted)).toEqual(headsIn(other, whole));
});
