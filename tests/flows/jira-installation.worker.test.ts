import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findConnectionRow, listConnections, openSession } from "#core/connections/index.ts";
import { endSilentHosts, noteHostEvent } from "#core/embedding/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { FlowWorld } from "#tests/harness/flow-world.ts";
import { type ForgeWorld, NORA, openForgeWorld } from "#tests/harness/forge-world.ts";

let forge: ForgeWorld;
let world: FlowWorld;
beforeEach(async () => {
  forge = await openForgeWorld();
  world = forge.world;
});
afterEach(() => forge.close());

/** The call of an hour that the test's clock has reached, with a token that lives so long. */
async function tick(lifeMs: number): Promise<void> {
  const { site: siteId, installationId } = forge;
  const accessToken = await forge.tokenOf(undefined, lifeMs);
  await noteHostEvent(world.services, "jira", {
    call: { siteId, siteUrl: null, installationId, accountId: null, licence: null },
    event: { kind: "alive" },
    brought: { authMethod: "forge", token: { accessToken, expiresAt: Date.now() + lifeMs } },
  });
}

const sessionOf = async (id: string) =>
  openSession(
    world.services,
    (await findConnectionRow(world.services.control, world.member.organisationId, id))!,
  );
const stored = async () => (await listConnections(world.services, world.member, { platform: "jira" }))[0];

test("[P-132] a site connected inside Jira is authMethod Forge, and Connect once somebody signed in at Atlassian", async () => {
  const id = await forge.connectInFrame();
  const users = async () =>
    (
      await forge.ask<object[]>("GET", "/api/jira/get-jira-users", {
        headers: { Authorization: forge.session },
      })
    ).json.result;
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
    const { json } = await forge.ask<object[]>("GET", `/api/${platform}/${path}`, {
      headers: { Authorization: forge.session },
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
  await forge.jira.control("people", { email: "visitor@meridian.example", displayName: "Visitor" });
  await forge.jira.control("sites/meridian/members", { login: "visitor@meridian.example", role: "user" });
  const refused = await forge.askForCode("visitor@meridian.example");
  expect(refused).toEqual({ reason: "Only an administrator of Jira can connect this site through the app." });
  const { code } = await forge.askForCode(NORA);
  expect((await forge.connect(code, "")).json.code).toBe("err.host.code");
  // The code was not used up outside of a frame, and is useless in that of another person.
  expect((await forge.connect(code, await forge.openFrame("visitor@meridian.example"))).json.code).toBe(
    "err.host.code",
  );
  expect((await forge.connect(code, await forge.openFrame(NORA))).json.code).toBe("err.host.code");
  const opening = await forge.askForCode(NORA, { connects: false });
  expect((await forge.connect(opening.code, await forge.openFrame(NORA))).json.code).toBe("err.host.code");
  expect(await stored()).toBeUndefined();
  const other = await forge.askForCode(NORA);
  expect((await forge.exchange(other.code)).json.code).toBe("err.host.code");
  const rows = JSON.stringify((await env.DB.prepare("SELECT * FROM host_code").all()).results);
  expect(rows).not.toContain(String(other.code));
  expect(rows).not.toContain('"eyJ');
});

test("each hour's call renews the token of those who linked the site, and of nobody else", async () => {
  const id = await forge.connectInFrame();
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
  await plant("other", forge.site, "oauth");
  await plant("elsewhere", "another-site", "forge");
  const first = await (await sessionOf(id)).accessToken();
  expect(await forge.tick(3 * HOUR_MS)).toBe(200);
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
  const id = await forge.connectInFrame();
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
  const id = await forge.connectInFrame();
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
