import { createHash } from "node:crypto";
import { connect } from "node:net";
import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { createRepository, gitDirectory } from "../repositories.ts";
import { githubForTest, temporaryFolder } from "../test-world.ts";
import { issueUserToken } from "../tokens.ts";

const ORG = "meridian-freight";
const AT = { owner: ORG, repo: "depot" };
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

async function depot(settings = {}) {
  const github = await githubForTest({ settings });
  const repository = createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const token = github.tokenOf("nora-lindqvist");
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl, ...UNHURRIED });
  return { github, repository, token, octokit };
}

test("a release creates its tag, takes files at its upload URL and returns them by expiring links", async () => {
  const { github, repository, token, octokit } = await depot();
  await expect(octokit.rest.repos.createRelease({ ...AT, tag_name: "v1" })).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [{ message: "Repository is empty." }] } },
  });
  await addCommits(gitDirectory(github.world, repository), { count: 1 });
  const draft = await octokit.rest.repos.createRelease({
    ...AT,
    tag_name: "v1.0",
    name: "One 🚚",
    draft: true,
  });
  expect(draft.data).toMatchObject({ draft: true, published_at: null });
  const ivo = new Octokit({ auth: github.tokenOf("ivo-petrov"), baseUrl: github.apiUrl, ...UNHURRIED });
  expect((await ivo.rest.repos.listReleases(AT)).data).toHaveLength(1);
  const bytes = Buffer.from("a small file of a release");
  const uploaded = await octokit.rest.repos.uploadReleaseAsset({
    ...AT,
    release_id: draft.data.id,
    url: draft.data.upload_url,
    name: "größe (1).bin",
    data: bytes as unknown as string,
    headers: { "content-type": "application/octet-stream", "content-length": bytes.length },
  });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(uploaded.data).toMatchObject({
    name: "gr..e..1..bin",
    state: "uploaded",
    size: bytes.length,
    digest: `sha256:${sha256}`,
  });
  await octokit.rest.repos.updateRelease({ ...AT, release_id: draft.data.id, draft: false });
  const refs = await git(
    temporaryFolder(),
    "ls-remote",
    github.remote(`${ORG}/depot`, token),
    "refs/tags/v1.0",
  );
  expect(refs.stdout).toContain("refs/tags/v1.0");
  const path = `/repos/${ORG}/depot/releases/assets/${uploaded.data.id}`;
  const link = await github.ask(path, token, { headers: { Accept: "application/octet-stream" } });
  expect(link.status).toBe(302);
  const location = link.headers.get("location") ?? "";
  expect(new URL(location).origin).not.toBe(new URL(github.apiUrl).origin);
  expect(await (await fetch(location)).text()).toBe(bytes.toString());
  const part = await fetch(location, { headers: { Range: "bytes=2-6" } });
  expect([part.status, await part.text()]).toEqual([206, "small"]);
  expect((await fetch(location, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(400);
  await github.control("/github/settings", { downloadMs: 0 });
  const late = await github.ask(path, token, { headers: { Accept: "application/octet-stream" } });
  expect((await fetch(late.headers.get("location") ?? "")).status).toBe(403);
  expect((await octokit.rest.repos.getReleaseByTag({ ...AT, tag: "v1.0" })).data.assets).toHaveLength(1);
  await expect(octokit.rest.repos.createRelease({ ...AT, tag_name: "v1.0" })).rejects.toMatchObject({
    status: 422,
  });
  expect(github.log.refusals()).toEqual([]);
});

test("a file without a length and a second one of the same name are refused", async () => {
  const { github, repository, token, octokit } = await depot();
  await addCommits(gitDirectory(github.world, repository), { count: 1 });
  const { data } = await octokit.rest.repos.createRelease({ ...AT, tag_name: "v1" });
  const url = data.upload_url.replace(/\{.*\}/, "?name=a.txt");
  const send = (body: BodyInit, more: object = {}) =>
    fetch(url, {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${token}`, "User-Agent": "test", "Content-Type": "text/plain" },
      ...more,
    });
  const stream = new Blob(["x"]).stream();
  expect((await send(stream, { duplex: "half" })).status).toBe(400);
  expect((await send("one")).status).toBe(201);
  const second = await send("two");
  expect(second.status).toBe(422);
  expect(await second.json()).toMatchObject({ errors: [{ field: "name", code: "already_exists" }] });
});

test("an interrupted upload stays unfinished until it is deleted", async () => {
  const { github, repository, token, octokit } = await depot();
  await addCommits(gitDirectory(github.world, repository), { count: 1 });
  const { data } = await octokit.rest.repos.createRelease({ ...AT, tag_name: "v1" });
  const path = new URL(data.upload_url.replace(/\{.*\}/, "?name=half.bin"));
  const socket = connect(Number(path.port), "127.0.0.1");
  socket.on("error", () => undefined);
  const head = [
    `POST ${path.pathname}${path.search} HTTP/1.1`,
    "Host: simulator",
    "User-Agent: test",
    `Authorization: Bearer ${token}`,
    "Content-Type: text/plain",
    "Content-Length: 1000",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\nhalf`);
  await expect.poll(() => github.log.requests().some(({ bytesIn }) => bytesIn === 4)).toBe(true);
  socket.destroy();
  const list = () => octokit.rest.repos.listReleaseAssets({ ...AT, release_id: data.id });
  await expect.poll(async () => (await list()).data.length).toBe(1);
  const [half] = (await list()).data;
  expect(half).toMatchObject({ name: "half.bin", state: "open", size: 4, digest: null });
  await octokit.rest.repos.deleteReleaseAsset({ ...AT, asset_id: half?.id ?? 0 });
  expect((await list()).data).toEqual([]);
});

test("only administrators see a repository's settings, and secrets are never returned", async () => {
  const { github, repository, octokit } = await depot();
  await addCommits(gitDirectory(github.world, repository), { count: 1 });
  const ivo = github.tokenOf("ivo-petrov");
  await octokit.rest.repos.createWebhook({
    ...AT,
    config: { url: "https://x.example/hook", secret: "s3cret" },
  });
  expect((await octokit.rest.repos.listWebhooks(AT)).data).toMatchObject([
    { config: { url: "https://x.example/hook", secret: "********" } },
  ]);
  expect((await github.ask(`/repos/${ORG}/depot/hooks`, ivo)).status).toBe(404);
  await octokit.rest.repos.updateBranchProtection({
    ...AT,
    branch: "main",
    required_status_checks: { strict: true, contexts: ["test"] },
    enforce_admins: true,
    required_pull_request_reviews: { required_approving_review_count: 2 },
    restrictions: null,
  });
  const branches = await octokit.rest.repos.listBranches({ ...AT, protected: true });
  expect(branches.data).toMatchObject([{ name: "main", protected: true }]);
  expect((await octokit.rest.repos.getBranchProtection({ ...AT, branch: "main" })).data).toMatchObject({
    enforce_admins: { enabled: true },
    required_pull_request_reviews: { required_approving_review_count: 2 },
  });
  const ruleset = await octokit.rest.repos.createRepoRuleset({
    ...AT,
    name: "No deletions",
    enforcement: "active",
    rules: [{ type: "deletion" }],
  });
  expect((await octokit.rest.repos.getRepoRulesets(AT)).data[0]).not.toHaveProperty("rules");
  const whole = await octokit.rest.repos.getRepoRuleset({ ...AT, ruleset_id: ruleset.data.id });
  expect(whole.data.rules).toEqual([{ type: "deletion" }]);
  await octokit.rest.repos.createOrUpdateEnvironment({
    ...AT,
    environment_name: "production",
    wait_timer: 5,
  });
  expect((await octokit.rest.repos.getAllEnvironments(AT)).data).toMatchObject({
    total_count: 1,
    environments: [{ name: "production", protection_rules: [{ type: "wait_timer" }] }],
  });
  expect((await octokit.rest.actions.listRepoSecrets(AT)).data).toEqual({ total_count: 0, secrets: [] });
  const people = await octokit.rest.repos.listCollaborators(AT);
  expect(people.data.map(({ role_name }) => role_name)).toEqual(["admin", "write"]);
  await github.control(`/github/orgs/${ORG}/switch`, { isFreePlan: true });
  await expect(octokit.rest.repos.getRepoRulesets(AT)).rejects.toMatchObject({ status: 403 });
  await octokit.rest.repos.update({ ...AT, allow_merge_commit: false, archived: true });
  expect((await octokit.rest.repos.get(AT)).data).toMatchObject({
    allow_merge_commit: false,
    archived: true,
  });
  await expect(octokit.rest.issues.create({ ...AT, title: "late" })).rejects.toMatchObject({ status: 403 });
});

test("imported issues keep their dates, are processed in order, and fail with reasons", async () => {
  const { github, token: appToken, octokit } = await depot({ importMs: 0 });
  const token = issueUserToken(github.world, { login: "nora-lindqvist", scopes: ["repo"] }).value;
  const accept = "application/vnd.github.golden-comet-preview+json";
  const send = (issue: object, comments: object[] = []) =>
    github.ask(`/repos/${ORG}/depot/import/issues`, token, {
      method: "POST",
      headers: { Accept: accept },
      body: JSON.stringify({ issue, comments }),
    });
  const plain = await github.ask(`/repos/${ORG}/depot/import/issues`, token, { method: "POST", body: "{}" });
  expect(plain.status).toBe(415);
  const order = await send(
    {
      title: "Old",
      body: "From then",
      created_at: "2019-05-01T10:00:00Z",
      closed: true,
      closed_at: "2019-06-01T10:00:00Z",
      updated_at: "2019-06-01T10:00:00Z",
      labels: ["bug", "old"],
    },
    [{ created_at: "2019-05-02T10:00:00Z", body: "Then" }],
  );
  expect(order.status).toBe(202);
  const { url } = (await order.json()) as { url: string };
  const wrong = await send({ title: "x", body: "y", milestone: 9 });
  const { url: wrongUrl } = (await wrong.json()) as { url: string };
  const status = async (address: string) =>
    (await github.ask(address.slice(github.apiUrl.length), token, { headers: { Accept: accept } })).json();
  expect(await status(url)).toMatchObject({
    status: "imported",
    issue_url: `${github.apiUrl}/repos/${ORG}/depot/issues/1`,
  });
  expect(await status(wrongUrl)).toMatchObject({
    status: "failed",
    errors: [{ location: "/issue/milestone", field: "milestone", code: "invalid" }],
  });
  const { data } = await octokit.rest.issues.get({ ...AT, issue_number: 1 });
  expect(data).toMatchObject({
    created_at: "2019-05-01T10:00:00Z",
    closed_at: "2019-06-01T10:00:00Z",
    updated_at: "2019-06-01T10:00:00Z",
    comments: 1,
    labels: [{ name: "bug" }, { name: "old" }],
  });
  const byApp = await github.ask(`/repos/${ORG}/depot/import/issues`, appToken, {
    headers: { Accept: accept },
  });
  expect(byApp.status).toBe(403);
  const large = await send({ title: "big", body: "x".repeat(1_100_000) });
  expect(large.status).toBe(413);
});
