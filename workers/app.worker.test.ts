import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ERROR_CODES } from "#core/kernel/error-codes.ts";
import { readVerificationLink } from "#tests/harness/verification-link.ts";

const ORIGIN = "https://app.example.test";

async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
  const init: RequestInit = { method, headers: { ...headers }, redirect: "manual" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...headers, "Content-Type": "application/json" };
  }
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}`, init));
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
}

const PASSWORD = "Vq7$mRkT2zLw";

async function signUp() {
  const email = `app-${crypto.randomUUID().slice(0, 12)}@example.com`;
  const password = PASSWORD;
  const person = { name: "Ann", family_name: "Example", email, password };
  const signedUp = await ask("POST", "/identity/sign-up", {}, person);
  const browser = { Cookie: cookieOf(signedUp) };
  await ask("POST", "/api/email-verification", browser, await readVerificationLink(email));
  const opened = await ask("POST", "/identity/sign-in", {}, { email, password });
  const { user } = opened.json.result as { user: { sub: string } };
  const asked = await ask("POST", "/identity/sign-in", {}, { email, password, session_as: "token" });
  const { token } = asked.json.result as { token: string };
  const organisationId = await env.DB.prepare("select organisation_id from member where user_id = ?")
    .bind(user.sub)
    .first<string>("organisation_id");
  return {
    auth: { Authorization: token },
    cookie: { Cookie: cookieOf(opened) },
    user: { ...user, email, organisationId: organisationId ?? "" },
  };
}

/** The first cookie of an answer, as a `Cookie` header value. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]!.split(";")[0]!;

/** An organisation in the ledger with a connection, a place, an item and a version. */
async function withItem() {
  const person = await signUp();
  const mark = crypto.randomUUID().replaceAll("-", "");
  const ids = {
    connection: `con_${mark}`,
    place: `plc_${mark}`,
    item: `itm_${mark}`,
    run: `run_${mark}`,
    snapshot: `snp_${mark}`,
  };
  const org = person.user.organisationId;
  const now = Date.now();
  await env.DB.prepare(
    "insert into connection (id, organisation_id, platform, region, external_id, name, account_type, status, token_version, details, is_auto_add, created_at) values (?, ?, 'github', 'DE', ?, 'octo', 'User', 'active', 0, '{}', 0, ?)",
  )
    .bind(ids.connection, org, mark, now)
    .run();
  await env.DB.prepare(
    "insert into subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at) values (?, ?, 'github', 'pro', 10, ?, null)",
  )
    .bind(`sub_${mark}`, org, now)
    .run();
  await env.LEDGER_DE.batch([
    env.LEDGER_DE.prepare(
      "insert into place (id, organisation_id, connection_id, external_id, name, type, created_at) values (?, ?, ?, '1', 'octo', 'User', ?)",
    ).bind(ids.place, org, ids.connection, now),
    env.LEDGER_DE.prepare(
      "insert into item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name, name_folded, visibility, details, status, is_daily, last_backup_at, last_snapshot_id, size_bytes, created_at) values (?, ?, ?, ?, 'github', 'repository', '1', 'api', 'octo/api', 'api', 'private', '{}', 'backuped', 1, ?, ?, 5, ?)",
    ).bind(ids.item, org, ids.connection, ids.place, now, ids.snapshot, now),
    env.LEDGER_DE.prepare(
      "insert into snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes, verify_state, expires_at) values (?, ?, ?, ?, ?, 'm', 5, 5, 'verified', ?)",
    ).bind(ids.snapshot, org, ids.item, ids.run, now, now + 1e9),
  ]);
  return { ...person, ids };
}

test("an id of another organisation gets the same response as a missing one", async () => {
  const ann = await withItem();
  const eve = await withItem();
  const never = {
    item: "itm_000000000000000000000000",
    snapshot: "snp_000000000000000000000000",
    place: "plc_000000000000000000000000",
  };
  const calls = (ids: { item: string; snapshot: string; place: string }): [string, string, unknown?][] => [
    ["POST", "/api/user/get-items-backups", { itemId: ids.item }],
    ["POST", "/api/user/get-actions", { platform: "github", id: ids.item }],
    ["POST", "/api/github/backup-now", { repoName: ids.item }],
    ["POST", "/api/github/github-get-zip", { repoId: ids.item, versionId: ids.snapshot }],
    ["POST", "/api/github/github-get-zip", { repoId: eve.ids.item, versionId: ids.snapshot }],
    ["POST", "/api/github/restore-repos", { items: [{ id: ids.item, versionid: ids.snapshot }] }],
    ["POST", "/api/github/restore-repos", { items: [{ id: eve.ids.item, versionid: ids.snapshot }] }],
    ["DELETE", "/api/github/delete-repos", { reposIds: [ids.item] }],
    [
      "PUT",
      "/api/github/update-daily-backup-items-statuses",
      { is_daily_backed_up: false, reposIds: [ids.item] },
    ],
    ["GET", `/api/github/get-user-github-items?placeId=${ids.place}`],
    ["GET", `/api/github/backup-all-repos-now?placeId=${ids.place}`],
    ["POST", "/api/github/add-github-repos", { placeId: ids.place, reposIds: [{ id: "5" }] }],
    ["GET", `/api/github/get-available-repos-for-github-user?placeId=${ids.place}`],
  ];
  const before = await ask("GET", "/api/github/get-user-github-items", ann.auth);
  expect(before.json.result.map(({ id }: { id: string }) => id)).toEqual([ann.ids.item]);
  const missing = calls(never);
  for (const [i, [method, path, body]] of calls(ann.ids).entries()) {
    const foreign = await ask(method, path, eve.auth, body);
    const [, missingPath, missingBody] = missing[i]!;
    const unknown = await ask(method, missingPath, eve.auth, missingBody);
    const name = `${method} ${path}`;
    expect([name, foreign.status, foreign.text]).toEqual([name, unknown.status, unknown.text]);
    expect(foreign.status).toBeLessThan(500);
    expect(foreign.text).not.toContain(ann.ids.connection);
  }
  const after = await ask("GET", "/api/github/get-user-github-items", ann.auth);
  expect(after.json.result).toEqual(before.json.result);
  const runs = await env.LEDGER_DE.prepare("select count(*) as n from run where organisation_id = ?")
    .bind(eve.user.organisationId)
    .first("n");
  expect(runs).toBe(0);
});

test("[A-209] [A-398] [B-257] [P-403] e-mail preferences, counts and names per platform are those of the caller's organisation", async () => {
  const ann = await withItem();
  const amounts = await ask("GET", "/api/user/get-platforms-items-amount", ann.auth);
  const none = { allItems: 0, backupedItems: 0 };
  expect(amounts.json.result).toEqual({
    platforms_items_count: { github: { repos: { allItems: 1, backupedItems: 1 }, gists: none } },
  });
  const names = await ask("GET", "/api/user/get-user-platform-names", ann.auth);
  expect(names.json.result).toEqual({ platformNames: { github: "octo" } });
  const info = await ask("GET", "/api/user/get-user-start-info", ann.auth);
  expect(info.json.result).toMatchObject({ isSubscribedToMail: true });
  const preferences = await ask("GET", "/api/user/email-preferences", ann.auth);
  expect(preferences.json.result).toMatchObject({ is_active: true, frequency: "daily", report_type: "all" });
  const stranger = await signUp();
  expect((await ask("GET", "/api/user/get-user-platform-names", stranger.auth)).json.result).toEqual({
    platformNames: {},
  });
  expect((await ask("GET", "/api/user/get-platforms-items-amount", stranger.auth)).json.result).toEqual({
    platforms_items_count: {},
  });
});

test("[B-159] [B-160] the dashboard's counts are split by kind: repositories and gists, projects and snippets", async () => {
  const ann = await withItem();
  await addGitlab(ann);
  await addKind(ann, {
    platform: "github",
    kind: "gist",
    connectionId: ann.ids.connection,
    hasVersion: false,
  });
  const { result } = (await ask("GET", "/api/user/dashboard", ann.auth)).json;
  const [backedUp, waiting] = [
    { allItems: 1, backupedItems: 1 },
    { allItems: 1, backupedItems: 0 },
  ];
  expect(result.platforms_items_count).toEqual({
    github: { repos: backedUp, gists: waiting },
    gitlab: { projects: backedUp, snippets: backedUp },
  });
});

test("[B-161] [B-256] the recent activity is that of the platform that is asked for", async () => {
  const ann = await withItem();
  await addGitlab(ann);
  const { item, connection, run } = ann.ids;
  const at = Date.now() - 60_000;
  const add = env.LEDGER_DE.prepare(
    "insert into run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, created_at, finished_at) values (?, ?, ?, ?, ?, ?, 'manual', ?, ?, ?)",
  );
  const org = ann.user.organisationId;
  await env.LEDGER_DE.batch([
    add.bind(run, org, connection, item, "github", "backup", "succeeded", at, at),
    add.bind(
      `${run}p`,
      org,
      `${connection}l`,
      `${item}project`,
      "gitlab",
      "restore",
      "failed",
      at + 1,
      at + 1,
    ),
  ]);
  const activity = async (platform: string) =>
    (await ask("GET", `/api/user/dashboard/recent-activity?platform=${platform}`, ann.auth)).json.result;
  expect(await activity("github")).toMatchObject([
    { id: run, name: "api", date: at, type: "backup", status: "succeeded", platform: "github" },
  ]);
  expect(await activity("gitlab")).toMatchObject([
    { name: "thing", date: at + 1, type: "restore", status: "failed", platform: "gitlab" },
  ]);
});

test("[B-091] an invited person's dashboard has only the platforms that they may use", async () => {
  const ann = await withItem();
  await addGitlab(ann);
  const blocks = async (headers: Record<string, string>) => {
    const { status, text } = await ask("GET", "/", headers);
    return [status, [...text.matchAll(/id="dash-([a-z]+)-title"/g)].map(([, platform]) => platform)];
  };
  expect(await blocks(ann.cookie)).toEqual([200, ["github", "gitlab"]]);
  const bo = await signUp();
  await env.DB.prepare(
    "update member set organisation_id = ?, role = 'member', platform_roles = ? where user_id = ?",
  )
    .bind(ann.user.organisationId, JSON.stringify({ github: "user" }), bo.user.sub)
    .run();
  // The hub of the person's former organisation knows the session for a minute; a new one is read from D1.
  const opened = await ask("POST", "/identity/sign-in", {}, { email: bo.user.email, password: PASSWORD });
  expect(await blocks({ Cookie: cookieOf(opened) })).toEqual([200, ["github"]]);
});

test("[B-170] who never had a trial or a subscription is offered a trial, and nothing to buy", async () => {
  const { cookie } = await signUp();
  const home = await ask("GET", "/", cookie);
  expect([home.status, home.headers.get("Location")]).toEqual([302, "/app-connector"]);
  const { text } = await ask("GET", "/app-connector", cookie);
  expect(text).toContain("14-day free trial, no card");
  expect(text).not.toContain("/checkout");
});

type WithItem = Awaited<ReturnType<typeof withItem>>;

/** Connects GitLab, with a project and a snippet that have versions. */
async function addGitlab(person: WithItem): Promise<void> {
  const connectionId = `${person.ids.connection}l`;
  const org = person.user.organisationId;
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare(
      "insert into connection (id, organisation_id, platform, region, external_id, name, account_type, status, token_version, details, is_auto_add, created_at) values (?, ?, 'gitlab', 'DE', ?, 'nora', 'User', 'active', 0, '{}', 0, ?)",
    ).bind(connectionId, org, connectionId, now),
    env.DB.prepare(
      "insert into subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at) values (?, ?, 'gitlab', 'pro', 10, ?, null)",
    ).bind(`${connectionId}s`, org, now),
  ]);
  for (const kind of ["project", "snippet"])
    await addKind(person, { platform: "gitlab", kind, connectionId, hasVersion: true });
}

/** Adds an item of a kind. */
async function addKind(
  { user, ids }: WithItem,
  order: { platform: string; kind: string; connectionId: string; hasVersion: boolean },
): Promise<void> {
  const { platform, kind, connectionId, hasVersion } = order;
  const now = Date.now();
  const [status, at, snapshot] = hasVersion
    ? ["backuped", now, `${ids.snapshot}${kind}`]
    : ["initialized", null, null];
  await env.LEDGER_DE.prepare(
    "insert into item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded, visibility, details, status, is_daily, last_backup_at, last_snapshot_id, created_at) values (?, ?, ?, ?, ?, ?, 'thing', 'nora/thing', 'thing', 'private', '{}', ?, 1, ?, ?, ?)",
  )
    .bind(
      ...[`${ids.item}${kind}`, user.organisationId, connectionId, platform, kind, kind],
      ...[status, at, snapshot, now],
    )
    .run();
}

test("a screen is HTML whose scripts have the nonce of its own policy", async () => {
  const { status, headers, text } = await ask("GET", "/");
  expect(status).toBeLessThan(500);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  const nonce = /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy")!)?.[1];
  expect(nonce).toBeTruthy();
  for (const [script] of text.matchAll(/<script[^>]*>/g)) expect(script).toContain(nonce);
});

test("the callback of a platform needs a session, its own state, and consent", async () => {
  const path = "/connect/github/callback";
  const visitor = await ask("GET", `${path}?code=a&state=b`);
  expect([visitor.status, visitor.headers.get("Location")]).toEqual([302, "/auth/login"]);
  const { cookie } = await signUp();
  const wrong = await ask("GET", `${path}?code=a&state=b`, cookie);
  const location = new URL(wrong.headers.get("Location")!, ORIGIN);
  expect(location.pathname).toBe("/app-connector");
  expect(location.searchParams.get("error_message")).toContain("expired or was already used");
  const declined = await ask("GET", `${path}?error=access_denied&state=b`, cookie);
  expect(new URL(declined.headers.get("Location")!, ORIGIN).searchParams.get("error_message")).toContain(
    "declined",
  );
  expect((await ask("GET", "/connect/nowhere/callback?code=a&state=b", cookie)).status).toBe(404);
});

test("[P-039] why a Jira account could not be connected is shown as a Jira user error", async () => {
  const { cookie } = await signUp();
  const wrong = await ask("GET", "/connect/jira/callback?code=a&state=b", cookie);
  const location = wrong.headers.get("Location")!;
  const sentence = new URL(location, ORIGIN).searchParams.get("error_message")!;
  const shown = async (path: string) =>
    (await ask("GET", path, { ...cookie, Accept: "text/html" })).text.replace(/<[^>]*>/g, " ");
  expect(await shown(location)).toMatch(new RegExp(`Jira user error\\s+${sentence}`));
  const other = (await ask("GET", "/connect/github/callback?code=a&state=b", cookie)).headers.get(
    "Location",
  )!;
  expect(await shown(other)).not.toContain("Jira user error");
  // A text that is not ours is not titled as if it were.
  const foreign = new URLSearchParams({ error_message: "Call us", error_platform: "jira" });
  expect(await shown(`/app-connector?${foreign}`)).not.toContain("Jira user error");
});

test("text in a URL is marked as foreign unless we signed it for this person", async () => {
  const [ann, bob] = [await withItem(), await withItem()];
  const wrong = await ask("GET", "/connect/github/callback?code=a&state=b", ann.cookie);
  const ours = wrong.headers.get("Location")!;
  const sentence = new URL(ours, ORIGIN).searchParams.get("error_message")!;
  const shown = async (path: string, { cookie }: typeof ann) => {
    const { status, text } = await ask("GET", path, { ...cookie, Accept: "text/html" });
    expect([path, status]).toEqual([path, 200]);
    return { says: text.includes(sentence), isForeign: text.includes("It is not from Holdfast") };
  };
  expect(await shown(ours, ann)).toEqual({ says: true, isForeign: false });
  // The same URL in another user's browser, with other text, and without the mark.
  expect(await shown(ours, bob)).toEqual({ says: true, isForeign: true });
  const changed = new URL(ours, ORIGIN);
  changed.searchParams.set("error_message", `${sentence} Call 555-0100.`);
  expect(await shown(changed.pathname + changed.search, ann)).toEqual({ says: true, isForeign: true });
  for (const [path, name] of [
    ["/app-connector", "error_message"],
    ["/app-connector", "warning_message"],
    ["/settings/storage", "error_message"],
  ] as const) {
    const bare = `${path}?${new URLSearchParams({ [name]: sentence })}`;
    expect([path, name, await shown(bare, ann)]).toEqual([path, name, { says: true, isForeign: true }]);
    expect(await shown(path, ann)).toEqual({ says: false, isForeign: false });
  }
});

test("[A-060] [P-042] the token page's callback page is outside the shell and submits the token in a form", async () => {
  const { status, text, headers } = await ask("GET", "/trello-approve-hidden?state=%22%3E%3Cb%3E");
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toContain("text/html");
  expect(text).toContain('method="post" action="/connect/trello/callback"');
  expect(text).toContain('name="state" value="&#34;&#62;&#60;b&#62;"');
  expect(text).not.toContain("<b>");
  const nonce = /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy")!)?.[1];
  expect(text).toContain(`<script nonce="${nonce}">`);
  // GitLab has no manually issued tokens.
  for (const other of ["gitlab", "nowhere"]) {
    expect((await ask("GET", `/${other}-approve-hidden`)).status).toBe(404);
  }
});

test("[A-059] the older callback of the consent page leads to the list, or uses the parameters it has", async () => {
  const locationOf = async (path: string) => (await ask("GET", path)).headers.get("Location");
  expect(await locationOf("/app/trello/login-trello-callback")).toBe("/platform/dashboard/trello");
  expect(await locationOf("/dev/trello/login-trello-callback?code=a&state=b")).toBe(
    "/connect/trello/callback?code=a&state=b",
  );
  expect((await ask("GET", "/app/trello/login-github-callback")).status).toBe(404);
});

test("[A-061] every other path returns the 404 page, at any depth, signed in or not", async () => {
  const { cookie } = await signUp();
  for (const path of ["/no-such-page", "/no/such/page", "/index.php", "/auth/nothing", "/platform/nothing"]) {
    for (const headers of [{}, cookie]) {
      const { status, text } = await ask("GET", path, { Accept: "text/html", ...headers });
      expect([path, status]).toEqual([path, 404]);
      expect(text).toMatch(/<h1[^>]*>This page does not exist<\/h1>/);
    }
  }
});

test("the live route refuses a missing session and a foreign sub", async () => {
  expect((await ask("GET", "/ws?sub=x")).status).toBe(423);
  const { auth } = await signUp();
  expect((await ask("GET", "/ws?sub=x", auth)).status).toBe(403);
});

test("a screen's form submitted by another site is refused", async () => {
  const { cookie } = await signUp();
  const foreign: Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
  ];
  for (const headers of foreign) {
    const answer = await ask("POST", "/auth/login", { ...cookie, ...headers });
    expect([headers, answer.status, answer.json?.code]).toEqual([headers, 403, "err.request.origin"]);
  }
  expect((await ask("POST", "/auth/login", { ...cookie, Origin: ORIGIN })).status).not.toBe(403);
});

test("a page whose platform refuses us shows the platform's sentence", async () => {
  const { cookie, ids } = await withItem();
  await env.LEDGER_DE.prepare("delete from place where id = ?").bind(ids.place).run();
  const page = await ask("GET", "/platform/dashboard/github", { ...cookie, Accept: "text/html" });
  expect(page.status).toBe(ERROR_CODES["err.connection.unauthorized"].status);
  expect(page.text).toContain(ERROR_CODES["err.connection.unauthorized"].message);
});
