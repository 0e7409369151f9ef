import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import {
  type Answer,
  type Call,
  ORIGIN,
  openSecurityWorld,
  type SecurityWorld,
  sendTo,
  signedPaths,
} from "./security-world.ts";

let world: SecurityWorld;
beforeAll(async () => {
  world = await openSecurityWorld();
});
afterAll(() => world.close());

/** Faults in a response's headers. */
function faultsOf({ headers, text }: Answer): string[] {
  const faults: string[] = [];
  const must = (name: string, pattern: RegExp) => {
    const value = headers.get(name);
    if (value === null || !pattern.test(value)) faults.push(`${name}: ${value}`);
  };
  must("Strict-Transport-Security", /^max-age=(3[2-9]|[4-9]\d)\d{6}; includeSubDomains$/);
  must("X-Content-Type-Options", /^nosniff$/);
  must("Referrer-Policy", /^strict-origin$/);
  must("Cross-Origin-Opener-Policy", /^same-origin$/);
  must("X-Frame-Options", /^DENY$/);
  must("Cache-Control", /no-store|immutable/);
  must("Content-Security-Policy", /(^|; )frame-ancestors 'none'(;|$)/);
  must("Content-Security-Policy", /(^|; )object-src 'none'(;|$)/);
  must("Content-Security-Policy", /(^|; )base-uri 'none'(;|$)/);
  must("Content-Security-Policy", /(^|; )default-src '(self|none)'(;|$)/);
  const policy = headers.get("Content-Security-Policy") ?? "";
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  if (/unsafe-inline|unsafe-eval|\*|https?:|data:/.test(scripts)) faults.push(`script-src ${scripts}`);
  const nonce = /'nonce-([A-Za-z0-9_-]{20,})'/.exec(scripts)?.[1];
  if (!nonce) faults.push("script-src has no nonce");
  for (const [script] of text.matchAll(/<script\b[^>]*>/g))
    if (!script.includes(`nonce="${nonce}"`)) faults.push(`${script} has no nonce`);
  if (headers.has("Server") || headers.has("X-Powered-By")) faults.push("the server tells what it is");
  return faults;
}

const forms = { "Content-Type": "application/x-www-form-urlencoded" };

test("every response has the security headers, including errors, redirects and downloads", async () => {
  const { download, clone } = await signedPaths(world);
  const session = { Authorization: await world.tokenOf("owner") };
  const json = "application/json";
  const calls: [expected: number, call: Call][] = [
    [200, { method: "GET", path: "/api/openapi.json" }],
    [200, { method: "GET", path: "/api/github/get-github-users", headers: session }],
    [400, { method: "POST", path: "/api/github/backup-now", headers: session, body: {} }],
    [400, { method: "POST", path: "/api/github/backup-now", headers: session, body: "{" }],
    [
      403,
      { method: "POST", path: "/api/github/backup-now", headers: { ...session, Origin: "null" }, body: {} },
    ],
    [
      403,
      {
        method: "POST",
        path: "/auth/login",
        headers: { ...forms, Origin: "https://evil.example" },
        body: "",
      },
    ],
    [404, { method: "GET", path: "/api/nothing", headers: session }],
    [404, { method: "GET", path: "/nothing-here" }],
    [404, { method: "GET", path: "/connect/nowhere/callback", headers: session }],
    [405, { method: "GET", path: "/api/github/backup-now", headers: session }],
    [413, { method: "POST", path: "/api/github/backup-now", headers: session, body: " ".repeat(1_048_577) }],
    [415, { method: "POST", path: "/api/github/backup-now", headers: { ...session, ...forms }, body: "a=1" }],
    [423, { method: "GET", path: "/api/github/get-github-users" }],
    [423, { method: "GET", path: "/ws" }],
    [403, { method: "GET", path: "/ws", query: { sub: "usr_other" }, headers: session }],
    [302, { method: "GET", path: "/" }],
    [302, { method: "GET", path: "/connect/github/callback" }],
    [200, { method: "GET", path: "/auth/login" }],
    [200, { method: "GET", path: "/", headers: session }],
    [200, { method: "GET", path: `/platform/dashboard/${PLATFORM}`, headers: session }],
    [200, { method: "GET", path: download }],
    [200, { method: "HEAD", path: download }],
    [206, { method: "GET", path: download, headers: { Range: "bytes=0-9" } }],
    [416, { method: "GET", path: download, headers: { Range: "bytes=99999999-" } }],
    [403, { method: "GET", path: "/download/a.b" }],
    [200, { method: "GET", path: `${clone}/info/refs` }],
    [404, { method: "GET", path: `${clone}/no/such/file` }],
    [403, { method: "GET", path: "/clone/a.b/c/info/refs" }],
    [400, { method: "POST", path: "/identity/sign-in", headers: { "Content-Type": json }, body: [] }],
  ];
  for (const [expected, call] of calls) {
    const answer = await world.send(call);
    const name = `${call.method} ${call.path.slice(0, 60)}`;
    expect([name, answer.status, faultsOf(answer)]).toEqual([name, expected, []]);
  }
});

test("a response with an internal error has them too and reveals no internal details", async () => {
  const broken = {
    ...env,
    DB: {
      prepare: () => {
        throw new Error("no such table: secret_table at /srv/worker.js:1:1");
      },
    },
  } as unknown as Env;
  for (const path of ["/api/github/get-github-users", "/", "/auth/login", "/ws"]) {
    const answer = await sendTo(broken, { method: "GET", path, headers: { Authorization: "a".repeat(43) } });
    expect([path, answer.status, faultsOf(answer)]).toEqual([path, 500, []]);
    expect(answer.text).not.toMatch(/secret_table|worker\.js|at \w+ \(/);
  }
});

test("a settings error before routing still has the headers that need no settings", async () => {
  const answer = await sendTo({ ...env, PUBLIC_URL: "not an address" } as never, {
    method: "GET",
    path: "/",
  });
  expect(answer.status).toBe(500);
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(answer.headers.get("X-Frame-Options")).toBe("DENY");
  expect(answer.text).not.toContain("not an address");
});

test("each response has its own nonce", async () => {
  const ask = async () => (await world.send({ method: "GET", path: "/auth/login" })).headers;
  const nonces = (await Promise.all(Array.from({ length: 20 }, ask))).map(
    (headers) => /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy")!)?.[1],
  );
  expect(new Set(nonces).size).toBe(20);
});

test("no response can be read by another site", async () => {
  for (const path of ["/api/openapi.json", "/api/github/get-github-users", "/", "/auth/login"]) {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await world.send({
        method,
        path,
        headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "GET" },
      });
      expect([path, method, headers.get("Access-Control-Allow-Origin")]).toEqual([path, method, null]);
    }
  }
  expect(ORIGIN).toContain("https://");
});
