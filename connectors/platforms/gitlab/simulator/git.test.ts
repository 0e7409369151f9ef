import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { codeDirectory } from "./projects.ts";
import { gitlabForTest, temporaryFolder } from "./test-world.ts";

const HOME = "nora-lindqvist";

test("a clone of a private project needs its token, and a stranger gets not found", async () => {
  const gitlab = await gitlabForTest();
  await addCommits(codeDirectory(gitlab.world, gitlab.project(`${HOME}/notes`)), { count: 3 });
  const folder = temporaryFolder();
  const clone = (url: string, to: string) => git(folder, "clone", "--quiet", url, to);
  expect((await clone(gitlab.remote(`${HOME}/notes`, gitlab.tokenOf(HOME)), "mine")).code).toBe(0);
  const anonymous = await fetch(`${gitlab.url}/${HOME}/notes.git/info/refs?service=git-upload-pack`);
  expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
    401,
    'Basic realm="GitLab"',
  ]);
  const stranger = await clone(gitlab.remote(`${HOME}/notes`, gitlab.tokenOf("ivo.petrov")), "theirs");
  expect(stranger.stderr).toContain("not found");
  const apiOnly = await clone(gitlab.remote(`${HOME}/notes`, gitlab.tokenOf(HOME, ["read_api"])), "api");
  expect(apiOnly.stderr).toContain("403");
  const reader = await clone(
    gitlab.remote(`${HOME}/notes`, gitlab.tokenOf(HOME, ["read_repository"])),
    "read",
  );
  expect(reader.code).toBe(0);
});

test("the first pushed branch becomes the default and is protected against force pushes", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project(`${HOME}/fresh`);
  const folder = temporaryFolder();
  await git(folder, "init", "--quiet", "--initial-branch=trunk");
  const commit = async (name: string) => {
    writeFileSync(path.join(folder, name), name);
    await git(folder, "add", ".");
    await git(folder, "commit", "--quiet", "-m", name);
  };
  await commit("one");
  const remote = gitlab.remote(`${HOME}/fresh`, gitlab.tokenOf(HOME));
  expect((await git(folder, "push", remote, "trunk")).code).toBe(0);
  expect(project.protectedBranches).toMatchObject([{ name: "trunk", allowsForcePush: false }]);
  await git(folder, "commit", "--quiet", "--amend", "-m", "other");
  const forced = await git(folder, "push", "--force", remote, "trunk", "trunk:side");
  expect(forced.stderr).toContain("You are not allowed to force push code to a protected branch");
  // One refused ref fails the whole push.
  expect(runGit(codeDirectory(gitlab.world, project), ["for-each-ref", "refs/heads/side"])).toBe("");
  expect((await git(folder, "push", "--force", remote, "trunk:side")).code).toBe(0);
  await git(folder, "commit", "--quiet", "--amend", "-m", "third");
  expect((await git(folder, "push", "--force", remote, "trunk:side")).code).toBe(0);
  const deletion = await git(folder, "push", remote, ":trunk");
  expect(deletion.stderr).toContain("default branch of a project cannot be deleted");
});

test("GitLab's internal refs can be fetched but not pushed", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project(`${HOME}/kept`);
  const directory = codeDirectory(gitlab.world, project);
  const head = await addCommits(directory, { count: 1 });
  runGit(directory, ["update-ref", "refs/merge-requests/1/head", head]);
  runGit(directory, ["update-ref", `refs/keep-around/${head}`, head]);
  const remote = gitlab.remote(`${HOME}/kept`, gitlab.tokenOf(HOME));
  const folder = temporaryFolder();
  const listed = await git(folder, "ls-remote", remote);
  expect(listed.stdout).toContain("refs/merge-requests/1/head");
  expect(listed.stdout).toContain("refs/keep-around/");
  await git(folder, "clone", "--quiet", remote, "kept");
  const cwd = path.join(folder, "kept");
  for (const ref of ["refs/merge-requests/2/head", "refs/keep-around/x"]) {
    const push = await git(cwd, "push", remote, `HEAD:${ref}`, "HEAD:refs/heads/fine");
    expect(push.stderr).toContain("deny updating a hidden ref");
  }
  expect(runGit(directory, ["for-each-ref", "refs/heads/fine"])).not.toBe("");
});

test("a wiki exists only after its first push; pushes to archived projects and by guests are refused", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project("meridian-freight/docks/quay");
  const token = gitlab.tokenOf(HOME);
  const wiki = gitlab.remote("meridian-freight/docks/quay.wiki", token);
  const folder = temporaryFolder();
  expect((await git(folder, "clone", wiki, "none")).stderr).toContain("not found");
  await git(folder, "init", "--quiet", "pages");
  const cwd = path.join(folder, "pages");
  writeFileSync(path.join(cwd, "home.md"), "# Home");
  await git(cwd, "add", ".");
  await git(cwd, "commit", "--quiet", "-m", "Home");
  expect((await git(cwd, "push", wiki, "main")).code).toBe(0);
  expect((await git(folder, "clone", "--quiet", wiki, "again")).code).toBe(0);
  project.isArchived = true;
  const late = await git(cwd, "push", gitlab.remote("meridian-freight/docks/quay", token), "main");
  expect(late.stderr).toContain("403");
});

test("an IP address with too many failed sign-ins is banned for all requests", async () => {
  const gitlab = await gitlabForTest({ settings: { failedAuthLimit: 3 } });
  await addCommits(codeDirectory(gitlab.world, gitlab.project(`${HOME}/notes`)), { count: 1 });
  const refs = `${gitlab.url}/${HOME}/notes.git/info/refs?service=git-upload-pack`;
  const ask = async (token: string | null) => {
    const headers: Record<string, string> =
      token === null ? {} : { Authorization: `Basic ${Buffer.from(`oauth2:${token}`).toString("base64")}` };
    return (await fetch(refs, { headers })).status;
  };
  expect(await ask(gitlab.tokenOf(HOME))).toBe(200);
  for (let time = 0; time < 4; time += 1) expect(await ask(time % 2 ? null : "wrong")).toBe(401);
  expect(await ask(gitlab.tokenOf(HOME))).toBe(403);
});
