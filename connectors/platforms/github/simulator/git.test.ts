import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { createRepository, defaultBranch, gitDirectory, lookUpRepository } from "./repositories.ts";
import { githubForTest, temporaryFolder } from "./test-world.ts";

const ORG = "meridian-freight";
/** Maximum number of bytes in one packet. */
const LONGEST_PACKET = 65_520;

type Github = Awaited<ReturnType<typeof githubForTest>>;

function lookUp(github: Github, name: string) {
  const found = lookUpRepository(github.world, ORG, name);
  if (found.kind === "missing") throw new Error(`There is no repository ${name}`);
  return found.repository;
}

/** A working copy with one commit, whose remote is a repository of the simulator. */
async function workingCopy(github: Github, token: string, file: string, content: string): Promise<string> {
  const folder = temporaryFolder();
  await git(folder, "init", "--quiet");
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), content);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "-m", "Begin");
  await git(folder, "remote", "add", "origin", github.remote(`${ORG}/depot`, token));
  return folder;
}

test("git clones the demo's repositories and fsck passes", async () => {
  const github = await githubForTest({ seed: "demo" });
  const token = github.tokenOf("nora-lindqvist");
  const folder = temporaryFolder();
  for (const name of ["route-planner", "handbook", "infrastructure", "customs-documents", "empty-yard"]) {
    const clone = await git(
      folder,
      "clone",
      "--quiet",
      "--mirror",
      github.remote(`${ORG}/${name}`, token),
      name,
    );
    expect([name, clone.code, clone.stderr.replace(/^warning: .*empty repository\.\n/, "")]).toEqual([
      name,
      0,
      "",
    ]);
    const check = await git(path.join(folder, name), "fsck", "--full", "--strict");
    expect([name, check.code]).toEqual([name, 0]);
  }
  const refs = (
    await git(path.join(folder, "route-planner"), "for-each-ref", "--format=%(refname) %(objecttype)")
  ).stdout;
  expect(refs).toContain("refs/pull/1/head commit");
  expect(refs).toContain("refs/pull/1/merge commit");
  expect(refs).toContain("refs/notes/commits commit");
  expect(refs).toContain("refs/tags/v1.5.0 tag");
  expect(refs).toContain("refs/tags/nightly-5 commit");
  const size = github.world.state.repositories.find(({ name }) => name === "customs-documents");
  expect(size && (await github.ask(`/repositories/${size.id}`, token).then((r) => r.json()))).toMatchObject({
    size: expect.toSatisfy((kilobytes: number) => kilobytes > 10_000),
  });
});

test("a push of hundreds of refs gets a complete report that spans packets", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const folder = await workingCopy(github, token, "README.md", "# Depot\n");
  expect((await git(folder, "push", "--quiet", "origin", "HEAD:refs/heads/main")).code).toBe(0);
  // Long names rather than many: git compares each ref of a push with every other one.
  const long = "of-the-depot-".repeat(10);
  const names = Array.from({ length: 600 }, (_, number) => `refs/tags/nightly-${long}${number}`);
  expect(names.map((name) => `0000ok ${name}\n`).join("").length).toBeGreaterThan(LONGEST_PACKET);
  const file = path.join(folder, ".git/packed-refs");
  const tip = runGit(folder, ["rev-parse", "HEAD"]).trim();
  writeFileSync(file, names.map((name) => `${tip} ${name}\n`).join(""));
  const pushed = await git(folder, "push", "--quiet", "--tags", "origin");
  expect([pushed.code, pushed.stderr]).toEqual([0, ""]);
  const directory = gitDirectory(github.world, lookUp(github, "depot"));
  expect(runGit(directory, ["for-each-ref", "--format=x", "refs/tags"]).length).toBe(2 * names.length);
});

test("git without credentials is challenged, and invisible repositories are not found", async () => {
  const github = await githubForTest();
  createRepository(github.world, { owner: "ivo-petrov", name: "secret", visibility: "private" });
  const url = `${github.webUrl}/ivo-petrov/secret.git/info/refs?service=git-upload-pack`;
  const challenged = await fetch(url);
  expect([challenged.status, challenged.headers.get("www-authenticate")]).toEqual([
    401,
    'Basic realm="GitHub"',
  ]);
  const credentials = Buffer.from(`x-access-token:${github.tokenOf("nora-lindqvist")}`).toString("base64");
  const hidden = await fetch(url, { headers: { Authorization: `Basic ${credentials}` } });
  expect([hidden.status, await hidden.text()]).toEqual([404, ""]);
});

test("a push updates refs and the push time, and the first branch becomes the default", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const depot = createRepository(github.world, {
    owner: ORG,
    name: "depot",
    pushedAt: "2020-01-01T00:00:00Z",
  });
  const folder = await workingCopy(github, token, "README.md", "Depot\n");
  const pushed = await git(folder, "push", "--quiet", "origin", "HEAD:refs/heads/restored");
  expect(pushed.code).toBe(0);
  expect(defaultBranch(github.world, depot)).toBe("restored");
  expect(depot.pushedAt > "2026").toBe(true);
  const unable = await git(folder, "push", "origin", ":refs/heads/restored");
  expect(unable.stderr).toContain("deletion of the current branch prohibited");
});

test("refs/pull cannot be pushed, while other refs of the same push succeed", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const depot = createRepository(github.world, { owner: ORG, name: "depot" });
  const folder = await workingCopy(github, token, "README.md", "Depot\n");
  const pushed = await git(folder, "push", "origin", "HEAD:refs/heads/main", "HEAD:refs/pull/1/head");
  expect(pushed.stderr).toContain("deny updating a hidden ref");
  expect(runGit(gitDirectory(github.world, depot), ["for-each-ref", "--format=%(refname)"])).toBe(
    "refs/heads/main\n",
  );
});

test("workflow files need a permission, and the refusal names the file and the permission", async () => {
  const github = await githubForTest();
  createRepository(github.world, { owner: ORG, name: "depot" });
  const folder = await workingCopy(
    github,
    github.tokenOf("nora-lindqvist", ["repo"]),
    ".github/workflows/ci.yml",
    "on: push\n",
  );
  const refused = await git(folder, "push", "origin", "HEAD:main");
  expect(refused.stderr).toContain(
    "(refusing to allow an OAuth App to create or update workflow `.github/workflows/ci.yml` without `workflow` scope)",
  );
  await github.control("/github/settings", { canWriteWorkflows: false });
  const asApp = github.remote(`${ORG}/depot`, github.tokenOf("nora-lindqvist"));
  expect((await git(folder, "push", asApp, "HEAD:main")).stderr).toContain("without `workflows` permission");
  const allowed = github.remote(`${ORG}/depot`, github.tokenOf("nora-lindqvist", ["repo", "workflow"]));
  expect((await git(folder, "push", allowed, "HEAD:main")).code).toBe(0);
});

test("push protection refuses a secret until it is turned off", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  createRepository(github.world, { owner: ORG, name: "depot", hasPushProtection: true });
  const folder = await workingCopy(github, token, "keys.txt", `id = ${"AKIA"}ABCDEFGHIJKLMNOP\n`);
  const refused = await git(folder, "push", "origin", "HEAD:main");
  expect(refused.stderr).toContain("GH013: Repository rule violations found for refs/heads/main");
  expect(refused.stderr).toContain("(push declined due to repository rule violations)");
  await github.control(`/github/repos/${ORG}/depot/switch`, { hasPushProtection: false });
  expect((await git(folder, "push", "origin", "HEAD:main")).code).toBe(0);
});

test("a push above the size limit is refused", async () => {
  const github = await githubForTest({ settings: { pushLimitBytes: 20_000 } });
  const token = github.tokenOf("nora-lindqvist");
  createRepository(github.world, { owner: ORG, name: "depot" });
  const noise = Array.from({ length: 20_000 }, (_, index) =>
    String.fromCharCode(33 + (((index * index * 7919) % 8191) % 90)),
  );
  const folder = await workingCopy(github, token, "big.txt", noise.join(""));
  const refused = await git(folder, "-c", "core.compression=0", "push", "origin", "HEAD:main");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("pack exceeds maximum allowed size");
});

test("a file above the size limit is refused with its name, and the same push without it is accepted", async () => {
  const github = await githubForTest();
  expect(github.world.settings.fileLimitBytes).toBe(104_857_600);
  await github.control("/github/settings", { fileLimitBytes: 20_000 });
  const token = github.tokenOf("nora-lindqvist");
  createRepository(github.world, { owner: ORG, name: "depot" });
  const folder = await workingCopy(github, token, "films/big film.bin", "x".repeat(30_000));
  const refused = await git(folder, "push", "origin", "HEAD:main");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(
    "File films/big film.bin is 0.03 MB; this exceeds GitHub's file size limit of 0.02 MB",
  );
  expect(refused.stderr).toContain("GH001: Large files detected.");
  expect(refused.stderr).toContain("HEAD -> main (pre-receive hook declined)");
  const small = await workingCopy(github, token, "small.bin", "x".repeat(20_000));
  expect((await git(small, "push", "origin", "HEAD:main")).code).toBe(0);
});

test("a large chunked push and a renamed repository behave as at GitHub", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  createRepository(github.world, { owner: ORG, name: "depot" });
  const folder = await workingCopy(github, token, "big.bin", "0123456789abcdef".repeat(200_000));
  const pushed = await git(
    folder,
    "-c",
    "core.compression=0",
    "-c",
    "http.postBuffer=65536",
    "push",
    "--quiet",
    "origin",
    "HEAD:main",
  );
  expect([pushed.code, pushed.stderr]).toEqual([0, ""]);
  await github.control(`/github/repos/${ORG}/depot/rename`, { name: "yard" });
  const clone = await git(temporaryFolder(), "clone", github.remote(`${ORG}/depot`, token), "copy");
  expect(clone.stderr).toContain("redirecting to");
  expect(clone.code).toBe(0);
});

test("the control routes add commits and rewrite a branch, visible to git", async () => {
  const github = await githubForTest();
  createRepository(github.world, { owner: ORG, name: "depot" });
  const remote = github.remote(`${ORG}/depot`, github.tokenOf("nora-lindqvist"));
  const { head } = (await (
    await github.control(`/github/repos/${ORG}/depot/commits`, { count: 5 })
  ).json()) as { head: string };
  const folder = temporaryFolder();
  await git(folder, "clone", "--quiet", "--mirror", remote, "copy");
  const copy = path.join(folder, "copy");
  expect((await git(copy, "rev-parse", "main")).stdout.trim()).toBe(head);
  await github.control(`/github/repos/${ORG}/depot/force-push`, { back: 2 });
  expect((await git(copy, "fetch", "--quiet")).code).toBe(0);
  expect((await git(copy, "rev-list", "--count", "main")).stdout.trim()).toBe("4");
  expect((await git(copy, "merge-base", "--is-ancestor", head, "main")).code).toBe(1);
  await github.control(`/github/repos/${ORG}/depot/delete`);
  expect(lookUpRepository(github.world, ORG, "depot").kind).toBe("missing");
});
