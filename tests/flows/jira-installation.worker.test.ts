import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostCall } from "#connectors/contract/host-app.ts";
import { configSchema } from "#connectors/platforms/jira/authorize.ts";
import { createForgeIssuer, type ForgeIssuer } from "#connectors/platforms/jira/simulator/forge-tokens.ts";
import { createSession } from "#core/accounts/index.ts";
import { findConnectionRow, listConnections, openSession } from "#core/connections/index.ts";
import { endSilentHosts, noteHostEvent } from "#core/embedding/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideJira, openJira, publishKeys } from "#tests/harness/outside.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const APP_ID = "ari:cloud:ecosystem::app/8db33809-1f32-48bb-8c52-5877dab48107";
const SHELL = "https://0a3a7799.cdn.prod.atlassian-dev.net";
const NORA = "nora@meridian.example";
const VERIFIER = "v".repeat(43);
const SCOPES = configSchema.parse({}).JIRA_SCOPES.split(" ");

let world: FlowWorld;
let jira: OutsideJira;
let issuer: ForgeIssuer;
let forge: Record<string, string>;
let session: string;
let site: string;

beforeEach(async () => {
  issuer = await createForgeIssuer(APP_ID);
  forge = {
    FORGE_APP_ID: APP_ID,
    FORGE_JWKS_URL: await publishKeys(issuer.jwks),
    FORGE_SHELL_ORIGINS: SHELL,
  };
  jira = await openJira(`${env.PUBLIC_URL}/connect/jira/callback`);
  world = await openFlowWorld({ isConnected: false, vars: { ...jira.vars, ...forge } });
  session = (await createSession(world.services, { userId: world.member.userId, isRemembered: false })).token;
  const { sites } = await jira.control<{ sites: { slug: string; cloudId: string }[] }>("sites");
  site = sites.find(({ slug }) => slug === "meridian")?.cloudId ?? "";
});
afterEach(async () => {
  await world.close();
  await jira.close();
});

type Call = { headers?: Record<string, string>; body?: object };
async function ask<T = Record<string, unknown>>(
  method: string,
  path: string,
  { headers = {}, body }: Call = {},
) {
  const bindings = { ...httpBindings(world), ...jira.vars, ...forge } as unknown as Env;
  const answer = await sendTo(bindings, { method, path, headers, ...(body ? { body } : {}) });
  return { ...answer, json: answer.json as { code: string | null; result: T } };
}

const callerOf = (accountId?: string) => ({
  cloudId: site,
  installationId: `ari:cloud:ecosystem::installation/${site}`,
  ...(accountId ? { accountId, siteUrl: "https://meridian.atlassian.net" } : {}),
});

/** A token that Forge passes to us: of the app, or of a person. */
const tokenOf = async (login?: string, lifeMs = 2 * HOUR_MS) =>
  (
    await jira.control<{ token: string; expiresAt: number }>("sites/meridian/forge-token", {
      scopes: SCOPES,
      lifeMs,
      ...(login ? { login } : {}),
    })
  ).token;

/** The app's page asks for a code, with the tokens that Forge adds for the person who looks at it. */
async function askForCode(login: string, { connects = true, accountId = `id-of-${login}` } = {}) {
  return (
    await ask<{ code?: string; reason?: string }>("POST", "/forge/session", {
      headers: {
        Authorization: `Bearer ${await issuer.sign(callerOf(accountId))}`,
        "x-forge-oauth-system": await tokenOf(),
        "x-forge-oauth-user": await tokenOf(login),
      },
      body: { challenge: await sha256Hex(VERIFIER), origin: SHELL, ...(connects ? { connects } : {}) },
    })
  ).json.result;
}

/** The cookie of the frame in which the person looks at our pages. */
async function openFrame(login: string): Promise<string> {
  const { code } = await askForCode(login, { connects: false });
  const answer = await ask("POST", "/identity/host/exchange", {
    headers: { Origin: env.PUBLIC_URL },
    body: { code, verifier: VERIFIER, origin: SHELL },
  });
  return (answer.headers as Headers)
    .getSetCookie()
    .filter((each) => !each.includes("Max-Age=0"))
    .map((each) => each.split(";")[0])
    .join("; ");
}

const connect = (code: string | undefined, Cookie: string) =>
  ask<{ id: string }>("POST", "/identity/host/connect", {
    headers: { Origin: env.PUBLIC_URL, Authorization: session, Cookie },
    body: { code, verifier: VERIFIER, origin: SHELL },
  });

async function connectInFrame(): Promise<string> {
  const { code } = await askForCode(NORA);
  const { status, json } = await connect(code, await openFrame(NORA));
  expect([status, json.code]).toEqual([200, null]);
  return json.result.id;
}

/** An hourly call that brings a token which lives so long. */
async function tick(lifeMs: number): Promise<void> {
  const call: HostCall = {
    siteId: site,
    siteUrl: null,
    installationId: callerOf().installationId,
    accountId: null,
    licence: null,
  };
  const accessToken = await tokenOf(undefined, lifeMs);
  const token = { accessToken, expiresAt: Date.now() + lifeMs };
  await noteHostEvent(world.services, "jira", {
    call,
    event: { kind: "alive" },
    brought: { authMethod: "forge", token },
  });
}

const sessionOf = async (id: string) =>
  openSession(
    world.services,
    (await findConnectionRow(world.services.control, world.member.organisationId, id))!,
  );
const stored = async () => (await listConnections(world.services, world.member, { platform: "jira" }))[0];

test("[P-132] a site connected inside Jira is authMethod Forge, and Connect once somebody signed in at Atlassian", async () => {
  const id = await connectInFrame();
  const users = async () =>
    (await ask<object[]>("GET", "/api/jira/get-jira-users", { headers: { Authorization: session } })).json
      .result;
  expect(await users()).toMatchObject([
    { id, user_name: "meridian", full_name: "Holdfast", authMethod: "Forge" },
  ]);
  await env.DB.prepare(
    `INSERT INTO credential (connection_id, auth_method, organisation_id, sealed_access_token, token_version, status)
     VALUES (?1, 'oauth', ?2, 's1.', 1, 'active')`,
  )
    .bind(id, world.member.organisationId)
    .run();
  expect(await users()).toMatchObject([{ id, authMethod: "Connect" }]);
  await env.DB.prepare("UPDATE credential SET status = 'revoked' WHERE auth_method = 'oauth'").run();
  expect(await users()).toMatchObject([{ id, authMethod: "Forge" }]);
});

test("[P-131] accounts of Trello, Jira and GitLab have id, user_name and full_name", async () => {
  for (const [platform, path] of [
    ["trello", "get-trello-user"],
    ["jira", "get-jira-users"],
    ["gitlab", "get-gitlab-users"],
  ]) {
    await env.DB.prepare(
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
         created_at) VALUES (?1, ?2, ?3, 'DE', 'x', ?4, 'user', 'active', '{"fullName":"Nora Lindqvist"}', 1)`,
    )
      .bind(`con_${platform}`, world.member.organisationId, platform, `nora-${platform}`)
      .run();
    const { json } = await ask<object[]>("GET", `/api/${platform}/${path}`, {
      headers: { Authorization: session },
    });
    expect(json.result).toEqual([
      expect.objectContaining({
        id: `con_${platform}`,
        user_name: `nora-${platform}`,
        full_name: "Nora Lindqvist",
      }),
    ]);
  }
});

test("only an administrator of the site, in the site's own frame, connects it", async () => {
  await jira.control("people", { email: "visitor@meridian.example", displayName: "Visitor" });
  await jira.control("sites/meridian/members", { login: "visitor@meridian.example", role: "user" });
  const refused = await askForCode("visitor@meridian.example");
  expect(refused).toEqual({ reason: "Only an administrator of Jira can connect this site through the app." });
  const { code } = await askForCode(NORA);
  expect((await connect(code, "")).json.code).toBe("err.host.code");
  // The code was not used up outside of a frame, and is useless in that of another person.
  expect((await connect(code, await openFrame("visitor@meridian.example"))).json.code).toBe("err.host.code");
  expect((await connect(code, await openFrame(NORA))).json.code).toBe("err.host.code");
  const opening = await askForCode(NORA, { connects: false });
  expect((await connect(opening.code, await openFrame(NORA))).json.code).toBe("err.host.code");
  expect(await stored()).toBeUndefined();
  const other = await askForCode(NORA);
  const exchanged = await ask("POST", "/identity/host/exchange", {
    headers: { Origin: env.PUBLIC_URL },
    body: { code: other.code, verifier: VERIFIER, origin: SHELL },
  });
  expect(exchanged.json.code).toBe("err.host.code");
  const rows = JSON.stringify((await env.DB.prepare("SELECT * FROM host_code").all()).results);
  expect(rows).not.toContain(String(other.code));
  expect(rows).not.toContain("eyJ");
});

test("each hour's call renews the token of those who linked the site, and of nobody else", async () => {
  const id = await connectInFrame();
  const plant = (name: string, siteId: string, authMethod: string) => {
    const ids = [`con_${name}`, `org_${name}`] as const;
    return env.DB.batch([
      env.DB.prepare(
        `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
           created_at) VALUES (?1, ?2, 'jira', 'DE', ?3, 'meridian', 'site', 'active', '{}', 1)`,
      ).bind(...ids, siteId),
      env.DB.prepare(
        `INSERT INTO credential (connection_id, auth_method, organisation_id, sealed_access_token, token_version, status)
         VALUES (?1, ?3, ?2, 's1.', 1, 'active')`,
      ).bind(...ids, authMethod),
    ]);
  };
  await plant("other", site, "oauth");
  await plant("elsewhere", "another-site", "forge");
  const first = await (await sessionOf(id)).accessToken();
  const answer = await ask("POST", "/forge/tick", {
    headers: {
      Authorization: `Bearer ${await issuer.sign(callerOf())}`,
      "x-forge-oauth-system": await tokenOf(undefined, 3 * HOUR_MS),
    },
    body: {},
  });
  expect(answer.status).toBe(200);
  const second = await (await sessionOf(id)).accessToken();
  expect(second).not.toBe(first);
  const { results } = await env.DB.prepare(
    "SELECT connection_id, auth_method, sealed_access_token FROM credential",
  ).all();
  expect(results.map(({ connection_id, auth_method }) => `${connection_id} ${auth_method}`).sort()).toEqual(
    [`${id} forge`, "con_elsewhere forge", "con_other oauth"].sort(),
  );
  expect(JSON.stringify(results)).not.toContain(second);
  const theirs = results.filter(({ connection_id }) => connection_id !== id);
  expect(theirs.map((each) => each.sealed_access_token)).toEqual(["s1.", "s1."]);
  // A delivery that is late or repeated does not bring an older token back.
  await tick(HOUR_MS);
  expect(await (await sessionOf(id)).accessToken()).toBe(second);
});

test("a token that ends during work is waited for, and the work goes on with the next one", async () => {
  const id = await connectInFrame();
  const running = await sessionOf(id);
  const first = await running.accessToken();
  world.clock.advance(3 * HOUR_MS);
  const waiting = await running.accessToken().catch((error: unknown) => error);
  expect(waiting).toMatchObject({ kind: "rate-limited" });
  expect((waiting as { retryAt: number }).retryAt).toBeGreaterThan(world.clock.now());
  expect(await stored()).toMatchObject({
    status: "active",
    credentials: [{ authMethod: "forge", isWorking: true }],
  });
  await tick(6 * HOUR_MS);
  // The same session takes the new one, also after Jira refused the one before.
  const second = await running.accessToken(first);
  expect(second).not.toBe(first);
  expect(await running.accessToken(second).catch((error: unknown) => error)).toMatchObject({
    kind: "rate-limited",
  });
});

test("an installation that fell silent has lost its access, its owner is told, and the next call brings it back", async () => {
  const id = await connectInFrame();
  world.clock.advance(4 * DAY_MS);
  await endSilentHosts(world.services);
  await world.drain();
  expect(await stored()).toMatchObject({ id, status: "revoked", lostReason: "app" });
  expect(world.mails).toHaveLength(1);
  await expect((await sessionOf(id)).accessToken()).rejects.toMatchObject({ kind: "unauthorized" });
  await tick(5 * DAY_MS);
  expect(await stored()).toMatchObject({ id, status: "active", lostReason: null });
  await expect((await sessionOf(id)).accessToken()).resolves.toMatch(/^eyJ/);
});
