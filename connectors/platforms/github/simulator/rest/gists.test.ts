import { writeFileSync } from "node:fs";
import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { githubForTest, temporaryFolder } from "../test-world.ts";
import { issueInstallationToken } from "../tokens.ts";

const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

test("a gist is created, changed file by file, commented, pushed to and deleted", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl, ...UNHURRIED });
  const created = await octokit.rest.gists.create({
    description: "Notes ✍️",
    public: false,
    files: { "a b.md": { content: "one\n" }, "zwei.txt": { content: "2\n" } },
  });
  const { id } = created.data;
  const gist_id = id ?? "";
  await octokit.rest.gists.update({
    gist_id,
    files: { "zwei.txt": { filename: "two.txt", content: "two\n" } } as never,
  });
  const read = await octokit.rest.gists.get({ gist_id });
  expect(Object.keys(read.data.files ?? {})).toEqual(["a b.md", "two.txt"]);
  expect(read.data.files?.["two.txt"]).toMatchObject({ content: "two\n", truncated: false, size: 4 });
  expect(read.data.history).toHaveLength(2);
  await octokit.rest.gists.createComment({ gist_id, body: "Good" });
  expect((await octokit.rest.gists.listComments({ gist_id })).data).toMatchObject([
    { body: "Good", author_association: "OWNER" },
  ]);
  const folder = temporaryFolder();
  const remote = `${github.webUrl.replace("://", `://x-access-token:${token}@`)}/${id}.git`;
  expect((await git(folder, "clone", "--quiet", remote, ".")).code).toBe(0);
  writeFileSync(`${folder}/large.txt`, "x".repeat(1_200_000));
  await git(folder, "add", ".");
  await git(folder, "commit", "-m", "Large");
  expect((await git(folder, "push", "origin", "HEAD")).code).toBe(0);
  const large = (await octokit.rest.gists.get({ gist_id })).data.files?.["large.txt"];
  expect([large?.truncated, large?.size, large?.content?.length]).toEqual([true, 1_200_000, 1_048_576]);
  expect(await (await fetch(large?.raw_url ?? "")).text()).toHaveLength(1_200_000);
  const ivo = github.tokenOf("ivo-petrov");
  expect((await github.ask(`/gists/${id}`, ivo)).status).toBe(200);
  expect(await (await github.ask("/users/nora-lindqvist/gists", ivo)).json()).toEqual([]);
  expect((await github.ask(`/gists/${id}`, ivo, { method: "DELETE" })).status).toBe(404);
  const theirs = await git(folder, "push", remote.replace(token, ivo), "HEAD:refs/heads/other");
  expect(theirs.stderr).toContain("403");
  expect((await octokit.rest.gists.list()).data).toHaveLength(1);
  await octokit.rest.gists.delete({ gist_id });
  expect((await github.ask(`/gists/${id}`, token)).status).toBe(404);
  expect(github.log.refusals()).toEqual([]);
});

test("gists are unavailable to installations and to tokens without the scope", async () => {
  const github = await githubForTest();
  const [installation] = github.world.state.installations;
  if (!installation) throw new Error("the seed has installations");
  const robot = issueInstallationToken(github.world, installation).value;
  expect((await github.ask("/gists", robot)).status).toBe(403);
  const body = JSON.stringify({ files: { "a.txt": { content: "x" } } });
  const scoped = github.tokenOf("nora-lindqvist", ["repo"]);
  expect((await github.ask("/gists", scoped, { method: "POST", body })).status).toBe(404);
  const right = github.tokenOf("nora-lindqvist", ["gist"]);
  expect((await github.ask("/gists", right, { method: "POST", body })).status).toBe(201);
  const empty = JSON.stringify({ files: { "a.txt": { content: "" } } });
  expect((await github.ask("/gists", right, { method: "POST", body: empty })).status).toBe(422);
});
