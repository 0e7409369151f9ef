import { env } from "cloudflare:workers";
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from "openid-client";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { AppError } from "#core/kernel/app-error.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import {
  APP,
  countTraces,
  type FederationWorld,
  freshEmail,
  openFederationWorld,
  START,
} from "#tests/harness/federated-browser.ts";
import { walkSignIn } from "#tests/simulators/oidc/walk-sign-in.ts";
import { buildServices } from "#workers/services.ts";
import { ATTEMPT_MS } from "./attempt.ts";
import { completeFederation } from "./complete-federation.ts";

const FAILED = "/auth/login?failure=err.federation.failed";

let world: FederationWorld;
let before: Record<string, number>;
beforeAll(async () => {
  world = await openFederationWorld();
});
// Every test here is an attack. None may leave a trace in the database.
beforeEach(async () => {
  before = await countTraces();
});
afterEach(async () => {
  expect(await countTraces()).toEqual(before);
});

const someone = () => ({ email: freshEmail("meridian.example") });
/** The sign-in page that a rejected sign-in at this provider leads to. */
const refusal = (provider: keyof typeof START) => (provider === "okta" ? `${FAILED}&okta=1` : FAILED);

test("a callback without a started sign-in is refused", async () => {
  const state = "A".repeat(43);
  const iss = encodeURIComponent(world.providers.vars.GOOGLE_ISSUER!);
  for (const query of ["", `?code=x&state=${state}&iss=${iss}`, "?error=server_error", `?code=x&state=`]) {
    const browser = world.browser();
    expect((await browser.open(`/identity/federation/callback${query}`)).location).toBe(FAILED);
    // The same from a browser that did begin an attempt.
    await browser.open(START.google);
    expect((await browser.open(`/identity/federation/callback${query}`)).location).toBe(FAILED);
  }
});

test("another browser can neither complete nor consume a sign-in, with or without its own cookie", async () => {
  const attacker = world.browser();
  const back = await attacker.comeBack(START.enterprise, someone());
  const victim = world.browser();
  expect((await victim.open(back.href)).location).toBe(FAILED);
  await victim.open(START.enterprise);
  expect((await victim.open(back.href)).location).toBe(FAILED);
  expect(victim.cookies.has("__Host-holdfast.session_token")).toBe(false);
  const row = await env.DB.prepare(
    "select count(*) as n from federation_attempt where used_at is not null",
  ).first();
  expect(row).toEqual({ n: 0 });
});

test("a sign-in expires after ten minutes", async () => {
  const browser = world.browser();
  const at = Date.now();
  const back = await browser.comeBack(START.google, "cancel");
  const answerAt = (now: number) =>
    completeFederation(
      { ...buildServices({ ...env, ...world.providers.vars }), clock: { now: () => now } },
      { query: back.searchParams, headers: browser.headers() },
    ).catch((error: unknown) => error);
  const spent = () =>
    env.DB.prepare(
      "select count(*) as n from federation_attempt where used_at is not null and expires_at > ?",
    )
      .bind(at + ATTEMPT_MS - SECOND_MS)
      .first("n");
  expect(await answerAt(Date.now() + ATTEMPT_MS + SECOND_MS)).toBeInstanceOf(AppError);
  expect(await spent()).toBe(0);
  // The attempt is consumed, then rejected because the person cancelled at the provider.
  expect(await answerAt(at + ATTEMPT_MS - SECOND_MS)).toMatchObject({ details: { provider: "google" } });
  expect(await spent()).toBe(1);
});

test("cancelling at the provider ends the sign-in", async () => {
  const browser = world.browser();
  const back = await browser.comeBack(START.okta, "cancel");
  expect(back.searchParams.get("error")).toBe("access_denied");
  expect((await browser.open(back.href)).location).toBe(refusal("okta"));
  const code = new URL(back);
  code.searchParams.delete("error");
  code.searchParams.set("code", "x");
  expect((await browser.open(code.href)).location).toBe(FAILED);
});

test("mix-up: one provider's response for a sign-in started at another is refused", async () => {
  const pairs = [
    ["google", "enterprise"],
    ["enterprise", "google"],
    ["enterprise", "okta"],
    ["okta", "enterprise"],
  ] as const;
  for (const [begun, answering] of pairs) {
    for (const iss of ["its own", "the expected", "none"]) {
      const browser = world.browser();
      const { location } = await browser.open(START[begun]);
      const other = await browser.comeBack(START[answering], someone());
      other.searchParams.set("state", new URL(location).searchParams.get("state")!);
      if (iss === "none") other.searchParams.delete("iss");
      if (iss === "the expected") {
        other.searchParams.set("iss", world.providers.vars[`${begun.toUpperCase()}_ISSUER`]!);
      }
      expect([begun, answering, iss, (await browser.open(other.href)).location]).toEqual([
        begun,
        answering,
        iss,
        refusal(begun),
      ]);
    }
  }
});

test("injection: a code of another sign-in is refused, used or unused, in one browser or two", async () => {
  const owner = world.browser();
  const stolen = await owner.comeBack(START.enterprise, someone());
  for (const browser of [owner, world.browser()]) {
    const own = await browser.comeBack(START.enterprise, someone());
    own.searchParams.set("code", stolen.searchParams.get("code")!);
    expect((await browser.open(own.href)).location).toBe(FAILED);
  }
});

/** Ways to tamper with a response; each must be rejected. */
const spoiled: [string, (query: URLSearchParams) => void][] = [
  ...(["code", "state", "iss"] as const).flatMap((name): [string, (query: URLSearchParams) => void][] => [
    [`${name} left out`, (query) => query.delete(name)],
    [`${name} empty`, (query) => query.set(name, "")],
    [`${name} twice`, (query) => query.append(name, query.get(name)!)],
    [`${name} twice, first another`, (query) => replaceAll(query, name, ["x", query.get(name)!])],
    [`${name} longer`, (query) => query.set(name, `${query.get(name)}A`)],
    [`${name} shorter`, (query) => query.set(name, query.get(name)!.slice(0, -1))],
    [`${name} with another letter`, (query) => query.set(name, turnLetter(query.get(name)!))],
    [`${name} in other case`, (query) => query.set(name, turnCase(query.get(name)!))],
    [`${name} with a space`, (query) => query.set(name, ` ${query.get(name)}`)],
    [`${name} with a null byte`, (query) => query.set(name, `${query.get(name)}\0`)],
    [`${name} as a list`, (query) => replaceAll(query, `${name}[]`, [query.get(name)!], name)],
    [`${name} very long`, (query) => query.set(name, "x".repeat(5_000))],
  ]),
  ["an error beside the code", (query) => query.set("error", "access_denied")],
  ["an ID token beside the code", (query) => query.set("id_token", "e30.e30.e30")],
  ["a whole answer inside a response", (query) => query.set("response", "e30.e30.e30")],
];

test.each(spoiled)("a callback with %s is refused", async (_what, spoil) => {
  const browser = world.browser();
  const back = await browser.comeBack(START.enterprise, someone());
  spoil(back.searchParams);
  expect((await browser.open(back.href)).location).toBe(FAILED);
});

test("a forged ID token, or one for another audience or sign-in, is refused", async () => {
  const genuine = await tokensFrom("enterprise");
  const foreign = await tokensFrom("okta");
  const key = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const answers: [string, (nonce: string) => Promise<object>][] = [
    ["for another sign-in", async () => genuine],
    ["of another issuer", async () => foreign],
    ["unsigned", async (nonce) => ({ ...genuine, id_token: forge(genuine.id_token, { nonce }, "none") })],
    [
      "signed by somebody",
      async (nonce) => ({ ...genuine, id_token: await sign(key, genuine.id_token, { nonce }) }),
    ],
    [
      "changed after it was signed",
      async (nonce) => ({ ...genuine, id_token: change(genuine.id_token, { nonce }) }),
    ],
    ["missing", async () => ({ ...genuine, id_token: undefined })],
    ["nonsense", async () => ({ ...genuine, id_token: "x" })],
  ];
  for (const [what, answer] of answers) {
    const browser = world.browser();
    const { location } = await browser.open(START.enterprise);
    const back = await walkSignIn(location, someone());
    await world.providers.fault({
      match: { method: "POST", path: "^/enterprise/token" },
      action: {
        kind: "answer",
        status: 200,
        body: { ...(await answer(new URL(location).searchParams.get("nonce")!)) },
      },
    });
    expect([what, (await browser.open(back.href)).location]).toEqual([what, FAILED]);
  }
});

test("userinfo of another subject, or without one, is refused", async () => {
  const bodies: [number, object][] = [
    [200, { sub: "somebody-else", email: freshEmail("meridian.example"), email_verified: true }],
    [200, { email: freshEmail("meridian.example"), email_verified: true }],
    [401, { error: "invalid_token" }],
    [500, {}],
  ];
  for (const [status, body] of bodies) {
    const browser = world.browser();
    const back = await browser.comeBack(START.enterprise, someone());
    await world.providers.fault({
      match: { path: "^/enterprise/me" },
      action: { kind: "answer", status, body: { ...body } },
    });
    expect((await browser.open(back.href)).location).toBe(FAILED);
  }
});

test("a provider that fails during the sign-in opens no session", async () => {
  for (const path of ["^/google/.well-known", "^/google/token", "^/google/jwks"]) {
    const browser = world.browser();
    const back = await browser.comeBack(START.google, { email: freshEmail("gmail.com") });
    await world.providers.fault({ match: { path }, action: { kind: "answer", status: 502 } });
    expect((await browser.open(back.href)).location).toBe(FAILED);
    expect((await browser.open(back.href)).location).toBe(FAILED);
  }
});

test("a sign-in started at an issuer that is no longer configured is refused", async () => {
  const browser = world.browser();
  const back = await browser.comeBack(START.okta, { email: freshEmail("northwind.example") });
  const moved = { ...env, ...world.providers.vars, OKTA_ISSUER: world.providers.vars.ENTERPRISE_ISSUER };
  const failure = await completeFederation(buildServices(moved as unknown as Env), {
    query: back.searchParams,
    headers: browser.headers(),
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "err.federation.failed", details: { provider: "okta" } });
});

/** The tokens that the provider issues to the same client in another sign-in. */
async function tokensFrom(provider: "enterprise" | "okta") {
  const { vars } = world.providers;
  const [issuer, id, secret] = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map(
    (name) => vars[`${provider.toUpperCase()}_${name}`]!,
  );
  const verifier = randomPKCECodeVerifier();
  const redirectUri = `${APP}/identity/federation/callback`;
  const query = new URLSearchParams({
    client_id: id!,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid email profile",
    nonce: "another",
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const back = await walkSignIn(`${issuer}/auth?${query}`, someone());
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: back.searchParams.get("code")!,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: id!,
    client_secret: secret!,
  });
  const answer = await fetch(`${issuer}/token`, { method: "POST", body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown> & { id_token: string };
}

const encode = (value: object) => toBase64Url(utf8(JSON.stringify(value)));
const decode = (part: string) => JSON.parse(atob(part.replace(/-/g, "+").replace(/_/g, "/"))) as object;

/** The token with other claims and another algorithm, unsigned. */
function forge(idToken: string, claims: object, alg: string): string {
  const [header = "", payload = ""] = idToken.split(".");
  return `${encode({ ...decode(header), alg })}.${encode({ ...decode(payload), ...claims })}.`;
}

async function sign(key: CryptoKeyPair, idToken: string, claims: object): Promise<string> {
  const unsigned = forge(idToken, claims, "RS256").slice(0, -1);
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key.privateKey, utf8(unsigned));
  return `${unsigned}.${toBase64Url(new Uint8Array(signature))}`;
}

function change(idToken: string, claims: object): string {
  return `${forge(idToken, claims, "RS256")}${idToken.split(".")[2]}`;
}

function replaceAll(query: URLSearchParams, name: string, values: string[], old = name): void {
  query.delete(old);
  for (const value of values) query.append(name, value);
}

/** Replaces the middle letter with another of the same alphabet. Every bit counts there. */
function turnLetter(text: string): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`;
}

function turnCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}
