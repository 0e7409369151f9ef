import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import addFormats from "ajv-formats";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coversOrigin, type Host } from "#connectors/contract/host-app.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";
import { hostApp } from "./host-app.ts";
import { createForgeIssuer, type ForgeCaller, type ForgeIssuer } from "./simulator/forge-tokens.ts";

const APP_ID = "ari:cloud:ecosystem::app/8db33809-1f32-48bb-8c52-5877dab48107";
const SHELL = "https://0a3a7799-53ae.cdn.prod.atlassian-dev.net";
const PAGE: ForgeCaller = {
  cloudId: "d0d52620-3203-4cfa-8db5-f2587155f0dd",
  installationId: "ari:cloud:ecosystem::installation/0a3a7799-53ae-4a5b-9e7e-03338980abb5",
  siteUrl: "https://meridian.atlassian.net",
  accountId: "655362:312d3308-8954-42b0-aa38-771a10c88656",
};

type FitSchema = {
  examples: [Record<string, unknown> & { context: { cloudId: string }; principal: string; app: object }];
};

let issuer: ForgeIssuer;
let stranger: ForgeIssuer;
let host: Host;
let asked = 0;
const server = createServer((_request, response) => {
  asked++;
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(issuer.jwks));
});
beforeAll(async () => {
  [issuer, stranger] = await Promise.all([createForgeIssuer(APP_ID), createForgeIssuer(APP_ID)]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const FORGE_JWKS_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  host = hostApp.open({ FORGE_APP_ID: APP_ID, FORGE_JWKS_URL, FORGE_SHELL_ORIGINS: SHELL }) as Host;
});
afterAll(() => server.close());

const read = (token: string, at = Date.now()) => host.readCall({ fetch, now: () => at }, token);
const readOf = async (caller: ForgeCaller, changes?: Record<string, unknown>) =>
  read(await issuer.sign(caller, changes));

test("a call of the page names site, installation and person; the keys are read once", async () => {
  const call = await readOf(PAGE);
  expect(call).toEqual({
    siteId: PAGE.cloudId,
    siteUrl: PAGE.siteUrl,
    installationId: PAGE.installationId,
    accountId: PAGE.accountId,
    licence: null,
  });
  await readOf(PAGE);
  expect(asked).toBe(1);
});

test("an event has no context; its site is that of the installation", async () => {
  const { accountId: _, siteUrl: __, ...tick } = PAGE;
  expect(await readOf(tick)).toMatchObject({ siteId: PAGE.cloudId, siteUrl: null, accountId: null });
});

test("a token that is forged, expired, for another app or of another issuer is refused", async () => {
  const { sign } = issuer;
  const at = Math.floor(Date.now() / 1000);
  const shared = new SignJWT({ aud: APP_ID, iss: "forge/invocation-token", iat: at, exp: at + 20 });
  const [header = "", claims = ""] = (await sign(PAGE)).split(".");
  const none = `${btoa('{"alg":"none"}').replaceAll("=", "")}.${claims}.`;
  const refused: [string, string | Promise<string>][] = [
    ["another key", stranger.sign(PAGE)],
    ["another app", sign(PAGE, { aud: `${APP_ID}0` })],
    [
      "several apps' claim in the body",
      sign(PAGE, { app: { id: `${APP_ID}0`, installationId: PAGE.installationId } }),
    ],
    ["another issuer", sign(PAGE, { iss: "forge/other" })],
    ["expired", sign(PAGE, { exp: at - 10 })],
    ["without end", sign(PAGE, { exp: undefined })],
    ["not valid yet", sign(PAGE, { nbf: at + 60 })],
    ["no algorithm", none],
    [
      "a shared secret",
      shared.setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode("x".repeat(32))),
    ],
    ["changed claims", `${header}.${claims.slice(0, -4)}AAAA.${(await sign(PAGE)).split(".")[2]}`],
    ["an isolated cloud", sign(PAGE, { icLabel: "orange" })],
    ["a label that is a path", sign(PAGE, { icLabel: "../evil" })],
    ["a site that is not the installation's", sign(PAGE, { context: { cloudId: "other-site" } })],
    ["no site", sign(PAGE, { app: { id: APP_ID, installationId: PAGE.installationId }, context: {} })],
    ["a malformed site", sign(PAGE, { context: { cloudId: "a/../b" } })],
    ["no token at all", "abc"],
  ];
  for (const [name, token] of refused)
    await expect(read(await token), name).rejects.toThrow(/^The invocation token/);
  await expect(read(await sign(PAGE), Date.now() + 60_000)).rejects.toThrow("ERR_JWT_EXPIRED");
});

test("keys that cannot be read let nobody in", async () => {
  const FORGE_JWKS_URL = "http://127.0.0.1:9/jwks.json";
  const away = hostApp.open({ FORGE_APP_ID: APP_ID, FORGE_JWKS_URL, FORGE_SHELL_ORIGINS: SHELL }) as Host;
  await expect(away.readCall({ fetch, now: Date.now }, await issuer.sign(PAGE))).rejects.toThrow(
    "its keys could not be read",
  );
});

test("a licence is read with its edition and end; an evaluation ends with its trial", async () => {
  const licence = async (license: Record<string, unknown>) => (await readOf({ ...PAGE, license })).licence;
  const subscriptionEndDate = "2026-12-08T00:00:00.000Z";
  const trialEndDate = "2027-06-08T00:00:00.000Z";
  const dates = { subscriptionEndDate, trialEndDate };
  expect(await licence({ active: true, capabilitySet: "capabilityAdvanced", ...dates })).toEqual({
    isActive: true,
    isTrial: false,
    isAdvanced: true,
    endsAt: Date.parse(subscriptionEndDate),
  });
  expect(await licence({ active: true, isEvaluation: true, ...dates })).toEqual({
    isActive: true,
    isTrial: true,
    isAdvanced: false,
    endsAt: Date.parse(trialEndDate),
  });
  // The newest documentation calls it so.
  expect(await licence({ isActive: true })).toMatchObject({ isActive: true });
  expect(await licence({ isActive: false, active: true })).toMatchObject({ isActive: false });
  const odd = { active: false, subscriptionEndDate: "soon", trialEndDate: null };
  expect(await licence(odd)).toMatchObject({ isActive: false, endsAt: null });
});

test.skipIf(contractsAreAbsent())(
  "the documented example is read, and the simulated token has its form",
  async () => {
    const schema = readContract("atlassian/forge-invocation-token.schema.json") as FitSchema;
    const { exp: _, iat: __, nbf: ___, icLabel: ____, ...claims } = schema.examples[0];
    const at = Math.floor(Date.now() / 1000);
    const call = await readOf(PAGE, { ...claims, iat: at, nbf: at, exp: at + 20 });
    // The example is of Confluence: its installation has no Jira, so the context alone names the site.
    expect(call).toMatchObject({ siteId: claims.context.cloudId, accountId: claims.principal });
    const ajv = openAjv();
    addFormats.default(ajv);
    const payload = JSON.parse(
      Buffer.from((await issuer.sign(PAGE)).split(".")[1] ?? "", "base64url").toString(),
    );
    expect([ajv.validate(schema, payload), ajv.errors]).toEqual([true, null]);
  },
);

test("only the deletion of an issue is a change; its project is the item", () => {
  const event = {
    eventType: "avi:jira:deleted:issue",
    issue: { id: "1", fields: { project: { id: "10002" } } },
  };
  expect(host.readEvent(event)).toEqual({ kind: "changed", itemExternalId: "10002" });
  for (const other of [{}, null, { id: "x", app: {} }, { ...event, eventType: "avi:jira:viewed:issue" }])
    expect(host.readEvent(other)).toEqual({ kind: "alive" });
});

test("without an app's id there is no host; with one, the page's origin is needed", () => {
  expect(hostApp.open({})).toBeNull();
  expect(() => hostApp.open({ FORGE_APP_ID: APP_ID })).toThrow("is needed with FORGE_APP_ID");
  for (const origin of [
    "*",
    "https://*",
    "http://evil.example",
    "https://a.example/path",
    "'self'",
    "https:",
  ])
    expect(() => hostApp.open({ FORGE_APP_ID: APP_ID, FORGE_SHELL_ORIGINS: origin }), origin).toThrow();
  expect(host.siteOrigins).toEqual(["https://*.atlassian.net"]);
});

test.each([
  ["https://*.atlassian.net", "https://meridian.atlassian.net", true],
  ["https://*.atlassian.net", "https://a.b.atlassian.net", true],
  ["https://*.atlassian.net", "https://atlassian.net", false],
  ["https://*.atlassian.net", "https://evilatlassian.net", false],
  ["https://*.atlassian.net", "http://meridian.atlassian.net", false],
  ["https://*.atlassian.net", "https://x.example/.atlassian.net", false],
  ["https://*.atlassian.net", "https://.atlassian.net", false],
  [SHELL, SHELL, true],
  [SHELL, `${SHELL}:8443`, false],
])("%s covers %s: %s", (source, origin, isCovered) => {
  expect(coversOrigin(source, origin)).toBe(isCovered);
});
