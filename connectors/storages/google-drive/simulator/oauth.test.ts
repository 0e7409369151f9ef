import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DEFAULT_GOOGLE_DRIVE_SETTINGS } from "./google-drive-simulator.ts";
import { FILE_SCOPE } from "./state.ts";
import { driveForTest } from "./test-world.ts";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters-long";
const REDIRECT = "http://localhost:5173/connect/storage/callback";
const { clientId, clientSecret } = DEFAULT_GOOGLE_DRIVE_SETTINGS;

type World = Awaited<ReturnType<typeof driveForTest>>;

function request(more: Record<string, string> = {}): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: "code",
    access_type: "offline",
    prompt: "consent",
    scope: FILE_SCOPE,
    state: "opaque",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
}

async function decide(drive: World, more: Record<string, string> = {}): Promise<URL> {
  const decision = { login: "ivo-petrov", decision: "authorize", allowed: FILE_SCOPE };
  const answer = await fetch(`${drive.webUrl}/o/oauth2/v2/auth`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(request({ ...decision, ...more })),
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "");
}

async function post(drive: World, path: string, parameters: Record<string, string>) {
  const answer = await fetch(`${drive.tokenUrl}${path}`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function signIn(drive: World, more: Record<string, string> = {}) {
  const code = (await decide(drive, more)).searchParams.get("code") ?? "";
  const parameters = { grant_type: "authorization_code", code, redirect_uri: REDIRECT };
  return post(drive, "/token", { ...parameters, code_verifier: VERIFIER });
}

test("the consent page lets a person choose scopes", async () => {
  const drive = await driveForTest();
  const answer = await fetch(`${drive.webUrl}/o/oauth2/v2/auth?${new URLSearchParams(request())}`);
  const page = await answer.text();
  expect(page).toContain("only the specific Google Drive files you use with this app");
  expect(page).toContain('type="checkbox" name="allowed"');
});

test("a code gives a one-hour token once; the refresh token comes with consent and does not expire", async () => {
  const drive = await driveForTest();
  const first = await signIn(drive, { prompt: "" });
  expect(first.body).toMatchObject({ token_type: "Bearer", expires_in: 3_599, scope: FILE_SCOPE });
  expect(first.body.refresh_token).toBeDefined();
  expect((await signIn(drive, { prompt: "" })).body.refresh_token).toBeUndefined();
  expect((await signIn(drive)).body.refresh_token).toBeDefined();
  await drive.control("/google-drive/expire-tokens");
  const expired = await drive.ask("GET", "/drive/v3/about?fields=user", {
    as: first.body.access_token ?? "",
  });
  expect([expired.status, (expired.json.error as { message: string }).message]).toEqual([
    401,
    "Invalid Credentials",
  ]);
  const refresh = { grant_type: "refresh_token", refresh_token: first.body.refresh_token ?? "" };
  const renewed = await post(drive, "/token", refresh);
  expect(renewed.body.refresh_token).toBeUndefined();
  const account = await drive.ask("GET", "/drive/v3/about?fields=user/emailAddress", {
    as: renewed.body.access_token ?? "",
  });
  expect(account.json).toEqual({ user: { emailAddress: "ivo@meridian.example" } });
});

test("a revoked grant can neither be used nor refreshed, and revoking it again is an error", async () => {
  const drive = await driveForTest();
  const { body } = await signIn(drive);
  expect((await post(drive, "/revoke", { token: body.refresh_token ?? "" })).status).toBe(200);
  const refused = await drive.ask("GET", "/drive/v3/about?fields=user", { as: body.access_token ?? "" });
  expect(refused.status).toBe(401);
  const refresh = { grant_type: "refresh_token", refresh_token: body.refresh_token ?? "" };
  expect((await post(drive, "/token", refresh)).body.error).toBe("invalid_grant");
  expect((await post(drive, "/revoke", { token: body.refresh_token ?? "" })).status).toBe(400);
});

test("an unticked scope is missing from the grant, and the API refuses it", async () => {
  const drive = await driveForTest();
  const { body } = await signIn(drive, { allowed: "" });
  expect(body.scope).toBe("");
  const refused = await drive.ask("GET", "/drive/v3/about?fields=user", { as: body.access_token ?? "" });
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ error: { errors: [{ reason: "insufficientPermissions" }] } });
});

test("denying returns access_denied; a foreign redirect URI, client or scope is not followed", async () => {
  const drive = await driveForTest();
  expect((await decide(drive, { decision: "cancel" })).searchParams.get("error")).toBe("access_denied");
  for (const [name, value] of [
    ["redirect_uri", "https://evil.example/"],
    ["client_id", "x"],
    ["scope", "all"],
  ] as const) {
    const query = new URLSearchParams(request({ [name]: value }));
    const answer = await fetch(`${drive.webUrl}/o/oauth2/v2/auth?${query}`, { redirect: "manual" });
    expect(answer.status).toBe(400);
  }
});
