import { createSign, generateKeyPairSync } from "node:crypto";
import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { importHistory } from "#connectors/toolkit/simulator/run-git.ts";
import { createRepository, defaultBranch, gitDirectory } from "./repositories.ts";
import { githubForTest } from "./test-world.ts";

const ORG = "meridian-freight";
/** The client waits a second between writes, which these tests do not need. */
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

test("the official client pages through every repository of the user", async () => {
  const github = await githubForTest();
  for (let number = 1; number <= 23; number += 1) {
    createRepository(github.world, { owner: ORG, name: `depot-${number}`, visibility: "private" });
  }
  createRepository(github.world, { owner: "ivo-petrov", name: "hidden", visibility: "private" });
  const octokit = new Octokit({ auth: github.tokenOf("nora-lindqvist"), baseUrl: github.apiUrl });
  const repositories = await octokit.paginate("GET /user/repos", { per_page: 10, sort: "created" });
  expect(repositories.map(({ name }) => name)).toHaveLength(23);
  expect(new Set(repositories.map(({ id }) => id)).size).toBe(23);
  const organisation = await octokit.paginate("GET /orgs/{org}/repos", { org: ORG, per_page: 7 });
  expect(organisation).toHaveLength(23);
  expect(github.log.requests().some(({ path }) => path.startsWith("/api/organizations/"))).toBe(true);
  expect(github.log.refusals()).toEqual([]);
});

test("the official client reads the user, organisations and installations", async () => {
  const github = await githubForTest();
  createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const octokit = new Octokit({ auth: github.tokenOf("nora-lindqvist"), baseUrl: github.apiUrl });
  expect((await octokit.rest.users.getAuthenticated()).data.login).toBe("nora-lindqvist");
  expect((await octokit.rest.users.getByUsername({ username: "ivo-petrov" })).data.type).toBe("User");
  expect((await octokit.rest.orgs.get({ org: ORG })).data.name).toBe("Meridian Freight");
  expect((await octokit.rest.orgs.listForAuthenticatedUser()).data.map(({ login }) => login)).toEqual([ORG]);
  expect((await octokit.rest.orgs.listMembershipsForAuthenticatedUser()).data[0]?.role).toBe("admin");
  const installations = await octokit.rest.apps.listInstallationsForAuthenticatedUser();
  expect(installations.data.total_count).toBe(2);
  const installation = installations.data.installations.find(
    ({ target_type }) => target_type === "Organization",
  );
  const covered = await octokit.rest.apps.listInstallationReposForAuthenticatedUser({
    installation_id: installation?.id ?? 0,
  });
  expect(covered.data.repositories.map(({ full_name }) => full_name)).toEqual([`${ORG}/depot`]);
  const found = await octokit.rest.search.repos({ q: `depot org:${ORG}` });
  expect(found.data.total_count).toBe(1);
});

test("the official client creates, changes and deletes a repository", async () => {
  const github = await githubForTest();
  const octokit = new Octokit({
    auth: github.tokenOf("nora-lindqvist"),
    baseUrl: github.apiUrl,
    ...UNHURRIED,
  });
  const created = await octokit.rest.repos.createForAuthenticatedUser({
    name: "restored notes (1)",
    private: true,
  });
  expect(created.data).toMatchObject({ name: "restored-notes-1-", private: true, size: 0 });
  const target = { owner: "nora-lindqvist", repo: created.data.name };
  await octokit.request("PUT /repos/{owner}/{repo}/actions/permissions", { ...target, enabled: false });
  await octokit.rest.repos.replaceAllTopics({ ...target, names: ["backup"] });
  const changed = await octokit.rest.repos.update({ ...target, description: "Back again", has_wiki: false });
  expect(changed.data).toMatchObject({ description: "Back again", has_wiki: false, topics: ["backup"] });
  expect(github.world.state.repositories[0]?.isActionsEnabled).toBe(false);
  await expect(octokit.rest.repos.createInOrg({ org: ORG, name: "a".repeat(101) })).rejects.toMatchObject({
    status: 422,
  });
  await octokit.rest.repos.createInOrg({ org: ORG, name: "second" });
  await expect(octokit.rest.repos.createInOrg({ org: ORG, name: "Second" })).rejects.toThrow(
    /name already exists on this account/,
  );
  await octokit.rest.repos.delete(target);
  await expect(octokit.rest.repos.get(target)).rejects.toMatchObject({ status: 404 });
});

/** Bytes that are no text. */
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0x00);

test("the official client reads files and folders of the default branch", async () => {
  const github = await githubForTest();
  const repository = createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const octokit = new Octokit({
    auth: github.tokenOf("nora-lindqvist"),
    baseUrl: github.apiUrl,
    ...UNHURRIED,
  });
  const read = (path: string) => octokit.rest.repos.getContent({ owner: ORG, repo: "depot", path });
  await expect(read("docs/notes.md")).rejects.toMatchObject({ status: 404 });
  const text = "A line that is longer than the sixty letters after which the Base64 breaks.\n";
  const script = createHistoryScript();
  script.commit({
    ref: `refs/heads/${defaultBranch(github.world, repository)}`,
    message: "Begin\n",
    author: { name: "Nora", email: "nora@meridian.example" },
    at: 1_760_000_000,
    files: [
      { path: "docs/notes.md", content: text },
      { path: "logo.png", content: PNG },
    ],
  });
  await importHistory(gitDirectory(github.world, repository), script.parts());
  const { data } = await read("docs/notes.md");
  if (Array.isArray(data) || data.type !== "file") throw new Error("It is no file");
  expect(data).toMatchObject({ name: "notes.md", size: text.length, encoding: "base64" });
  expect(Buffer.from(data.content, "base64").toString()).toBe(text);
  expect((await read("logo.png")).data).toMatchObject({
    content: `${Buffer.from(PNG).toString("base64")}\n`,
  });
  expect((await read("docs")).data).toMatchObject([{ path: "docs/notes.md", type: "file" }]);
  for (const path of ["docs/other.md", "../config"]) {
    await expect(read(path)).rejects.toMatchObject({ status: 404 });
  }
});

test("a conditional request returns 304 and costs nothing", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const first = await github.ask("/user", token);
  expect(first.headers.get("x-ratelimit-used")).toBe("1");
  const etag = first.headers.get("etag") ?? "";
  const second = await github.ask("/user", token, { headers: { "If-None-Match": etag } });
  expect([second.status, await second.text()]).toEqual([304, ""]);
  expect(second.headers.get("x-ratelimit-used")).toBe("1");
  const third = await github.ask("/user", token, { headers: { "If-None-Match": 'W/"else"' } });
  expect([third.status, third.headers.get("x-ratelimit-used")]).toEqual([200, "2"]);
});

test("a renamed repository redirects by its number, and its old name can be reused", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  const old = createRepository(github.world, { owner: ORG, name: "old-name", visibility: "private" });
  await github.control(`/github/repos/${ORG}/old-name/rename`, { name: "new-name" });
  const moved = await github.ask(`/repos/${ORG}/old-name/topics`, token);
  expect(moved.status).toBe(301);
  expect(moved.headers.get("location")).toBe(`${github.apiUrl}/repositories/${old.id}/topics`);
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl });
  expect((await octokit.rest.repos.get({ owner: ORG, repo: "old-name" })).data.name).toBe("new-name");
  const written = await github.ask(`/repos/${ORG}/old-name`, token, { method: "DELETE" });
  expect(written.status).toBe(307);
  createRepository(github.world, { owner: ORG, name: "old-name", visibility: "private" });
  const fresh = await octokit.rest.repos.get({ owner: ORG, repo: "old-name" });
  expect(fresh.data.id).not.toBe(old.id);
});

test("invisible repositories are missing, and blocked or held ones say so", async () => {
  const github = await githubForTest();
  createRepository(github.world, { owner: "ivo-petrov", name: "secret", visibility: "private" });
  createRepository(github.world, { owner: ORG, name: "taken-down", isBlocked: true });
  const nora = github.tokenOf("nora-lindqvist");
  expect((await github.ask("/repos/ivo-petrov/secret", nora)).status).toBe(404);
  expect((await github.ask("/repos/ivo-petrov/secret", github.tokenOf("ivo-petrov"))).status).toBe(200);
  expect(
    (await github.ask("/repos/ivo-petrov/secret", github.tokenOf("ivo-petrov", ["read:user"]))).status,
  ).toBe(404);
  expect((await github.ask(`/repos/${ORG}/taken-down`, nora)).status).toBe(451);
  await github.control(`/github/orgs/${ORG}/switch`, { isSsoEnforced: true });
  const held = await github.ask(`/orgs/${ORG}/repos`, nora);
  expect([held.status, held.headers.get("x-github-sso")?.startsWith("required; url=")]).toEqual([403, true]);
});

test("bad credentials and revoked or expired tokens are refused equally", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  expect((await github.ask("/user", "ghu_wrong")).status).toBe(401);
  expect((await github.ask("/user", null)).status).toBe(401);
  await github.control("/github/expire-tokens", { login: "nora-lindqvist" });
  expect((await github.ask("/user", token)).status).toBe(401);
  const other = github.tokenOf("nora-lindqvist");
  expect((await github.ask("/user", other)).status).toBe(200);
  await github.control("/github/token/revoke");
  expect(await (await github.ask("/user", other)).json()).toMatchObject({
    message: "Bad credentials",
    status: "401",
  });
});

test("an exhausted quota is refused with its reset time", async () => {
  const github = await githubForTest({ settings: { rateLimit: 2 } });
  const token = github.tokenOf("nora-lindqvist");
  await github.ask("/user", token);
  await github.ask("/user", token);
  const refused = await github.ask("/user", token);
  expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([403, "0"]);
  expect(Number(refused.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now());
  const overview = await github.ask("/rate_limit", github.tokenOf("ivo-petrov"));
  expect((await overview.json()) as object).toMatchObject({ rate: { limit: 2, used: 0 } });
});

test("unknown operations and invalid requests are recorded as refusals", async () => {
  const github = await githubForTest();
  const token = github.tokenOf("nora-lindqvist");
  expect((await github.ask("/user/gadgets", token)).status).toBe(404);
  expect((await github.ask("/user/repos?visibility=hidden", token)).status).toBe(422);
  const post = { method: "POST", headers: { "Content-Type": "application/json" } };
  expect((await github.ask("/user/repos", token, { ...post, body: "{" })).status).toBe(400);
  expect((await github.ask("/user/repos", token, { ...post, body: '{"name":7}' })).status).toBe(422);
  expect(
    (await github.ask("/user", token, { headers: { "X-GitHub-Api-Version": "1999-01-01" } })).status,
  ).toBe(400);
  const listed = (await (await fetch(`${github.webUrl}/__sim/refusals`)).json()) as {
    refusals: { kind: string }[];
  };
  expect(listed.refusals.map(({ kind }) => kind)).toEqual([
    "unknown",
    "refused",
    "refused",
    "refused",
    "refused",
  ]);
});

test("unknown list parameters and unsupported media types are refused, with or without the contracts", async () => {
  const github = await githubForTest({ settings: { checkRequest: null } });
  const token = github.tokenOf("nora-lindqvist");
  const ask = async (path: string, accept?: string) =>
    (await github.ask(path, token, accept === undefined ? {} : { headers: { Accept: accept } })).status;
  expect(await ask("/user/repos?per_page=2&sort=pushed")).toBe(200);
  for (const path of ["/user/repos?pagesize=2", "/user?page2=1", "/user/orgs?sort=name"])
    expect([path, await ask(path)]).toEqual([path, 422]);
  for (const accept of ["*/*", "application/vnd.github+json", "application/json; q=0.9, text/plain"])
    expect([accept, await ask("/user", accept)]).toEqual([accept, 200]);
  for (const accept of ["application/xml", "text/csv, image/png"])
    expect([accept, await ask("/user", accept)]).toEqual([accept, 415]);
  expect(await ask("/user", "application/vnd.github.raw+json")).toBe(200);
  expect(github.log.refusals()).toHaveLength(5);
});

test("an App exchanges its signed token for an installation token, which cannot create personal repositories", async () => {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const appPublicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const github = await githubForTest({ settings: { appPublicKey } });
  createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const jwt = (secondsToLive: number) => {
    const now = Math.floor(Date.now() / 1000);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ iat: now - 30, exp: now + secondsToLive, iss: "424242" })}`;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(keys.privateKey).toString("base64url")}`;
  };
  const installation = github.world.state.installations.find(({ account }) => account === ORG);
  const order = `/app/installations/${installation?.id}/access_tokens`;
  expect((await github.ask(order, jwt(3_600), { method: "POST" })).status).toBe(401);
  const answer = await github.ask(order, jwt(540), { method: "POST" });
  expect(answer.status).toBe(201);
  const { token } = (await answer.json()) as { token: string };
  expect(token.length).toBeGreaterThan(40);
  expect(await (await github.ask("/installation/repositories", token)).json()).toMatchObject({
    total_count: 1,
  });
  const body = JSON.stringify({ name: "mine" });
  expect((await github.ask("/user/repos", token, { method: "POST", body })).status).toBe(403);
  expect((await github.ask(`/orgs/${ORG}/repos`, token, { method: "POST", body })).status).toBe(201);
});
