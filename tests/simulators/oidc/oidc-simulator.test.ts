import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type OidcSimulator, startOidcSimulator } from "./oidc-simulator.ts";
import { OIDC_PROVIDERS, type OidcProviderName } from "./people.ts";
import { type Choice, walkSignIn } from "./walk-sign-in.ts";

const CALLBACK = "http://localhost:5173/identity/federation/callback";

async function start(options: Parameters<typeof startOidcSimulator>[0] = {}): Promise<OidcSimulator> {
  const simulator = await startOidcSimulator(options);
  onTestFinished(() => simulator.stop());
  return simulator;
}

type Metadata = Record<"issuer" | "authorization_endpoint" | "token_endpoint" | "userinfo_endpoint", string>;

async function metadataOf(simulator: OidcSimulator, name: OidcProviderName): Promise<Metadata> {
  const answer = await fetch(`${simulator.issuers[name]}/.well-known/openid-configuration`);
  return (await answer.json()) as Metadata;
}

/** Signs in like a client without a library. Returns what the provider reports about the person. */
async function signIn(simulator: OidcSimulator, name: OidcProviderName, choice: Choice) {
  const metadata = await metadataOf(simulator, name);
  const { clientId, clientSecret } = simulator.clients[name];
  const verifier = randomBytes(32).toString("base64url");
  const url = `${metadata.authorization_endpoint}?${new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: CALLBACK,
    scope: "openid email profile",
    state: "state-1",
    nonce: "nonce-1",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  })}`;
  const back = await walkSignIn(url, choice);
  const trade = () =>
    fetch(metadata.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: back.searchParams.get("code") ?? "",
        redirect_uri: CALLBACK,
        code_verifier: verifier,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
  return { back, trade, metadata };
}

const claimsIn = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

test("each provider is a separate issuer with its own URLs and keys", async () => {
  const simulator = await start();
  const keys = new Set<string>();
  for (const name of OIDC_PROVIDERS) {
    const metadata = await metadataOf(simulator, name);
    expect(metadata.issuer).toBe(simulator.issuers[name]);
    for (const [key, value] of Object.entries(metadata)) {
      if (key.endsWith("_endpoint")) expect(value).toMatch(new RegExp(`^${simulator.issuers[name]}/`));
    }
    const { keys: published } = (await (await fetch(`${simulator.issuers[name]}/jwks`)).json()) as {
      keys: { n: string; d?: string }[];
    };
    expect(published).toHaveLength(1);
    expect(published[0]?.d).toBeUndefined();
    keys.add(published[0]?.n ?? "");
  }
  expect(keys.size).toBe(3);
});

test("Google's ID token has e-mail and hosted domain; a code works once", async () => {
  const simulator = await start();
  const choice = { email: "ann@acme.example", name: "Ann Lee", isHosted: true, isVerified: false };
  const { back, trade } = await signIn(simulator, "google", choice);
  expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    state: "state-1",
    iss: simulator.issuers.google,
  });
  const answer = (await (await trade()).json()) as { id_token: string };
  expect(claimsIn(answer.id_token)).toMatchObject({
    iss: simulator.issuers.google,
    aud: simulator.clients.google.clientId,
    nonce: "nonce-1",
    email: "ann@acme.example",
    email_verified: false,
    hd: "acme.example",
    given_name: "Ann",
    family_name: "Lee",
  });
  expect((await trade()).status).toBe(400);
});

test("the company providers return the e-mail address only at the userinfo endpoint", async () => {
  const simulator = await start();
  for (const name of ["enterprise", "okta"] as const) {
    const email = name === "okta" ? "sol@northwind.example" : "nora@meridian.example";
    const { trade, metadata } = await signIn(simulator, name, { email });
    const answer = (await (await trade()).json()) as { id_token: string; access_token: string };
    expect(claimsIn(answer.id_token)).not.toHaveProperty("email");
    const told = await fetch(metadata.userinfo_endpoint, {
      headers: { Authorization: `Bearer ${answer.access_token}` },
    });
    expect(await told.json()).toMatchObject({ email, email_verified: true });
  }
});

test("cancelling is reported to the product, and an unregistered redirect URI is never used", async () => {
  const simulator = await start();
  const { back } = await signIn(simulator, "okta", "cancel");
  expect(back.searchParams.get("error")).toBe("access_denied");
  expect(back.searchParams.get("code")).toBeNull();
  const { authorization_endpoint } = await metadataOf(simulator, "google");
  const query = new URLSearchParams({
    client_id: simulator.clients.google.clientId,
    response_type: "code",
    redirect_uri: "https://evil.example/identity/federation/callback",
    scope: "openid",
  });
  const answer = await fetch(`${authorization_endpoint}?${query}`, { redirect: "manual" });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("redirect_uri");
});

test("people can be added, faults set, and people and URLs survive a restart", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "holdfast-oidc-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const first = await startOidcSimulator({ directory });
  const put = await fetch(`${first.url}/__sim/oidc/google/people`, {
    method: "POST",
    body: JSON.stringify({ email: "zoe@gmail.com", name: "Zoe Q", subject: "zoe-1", isEmailVerified: false }),
  });
  expect(await put.json()).toMatchObject({ subject: "zoe-1", givenName: "Zoe", isEmailVerified: false });
  first.faults.add({ match: { path: "jwks" }, action: { kind: "answer", status: 503 } });
  expect((await fetch(`${first.issuers.google}/jwks`)).status).toBe(503);
  expect((await fetch(`${first.issuers.google}/jwks`)).status).toBe(200);
  await first.stop();
  const second = await startOidcSimulator({ directory, port: first.port });
  onTestFinished(() => second.stop());
  expect(second.issuers).toEqual(first.issuers);
  const { trade } = await signIn(second, "google", { subject: "zoe-1" });
  const { id_token } = (await (await trade()).json()) as { id_token: string };
  expect(claimsIn(id_token)).toMatchObject({ sub: "zoe-1", email_verified: false });
});
