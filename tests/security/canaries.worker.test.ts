import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requestBackup } from "#core/backups/index.ts";
import { toBase64Url, toHex, utf8 } from "#core/kernel/crypto.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { listKeys } from "#tests/harness/empty-bindings.ts";
import { connect, PLATFORM } from "#tests/harness/flow-world.ts";
import { readRuntimeLog } from "#tests/harness/read-runtime-log.ts";
import { configureLogging } from "#workers/logging.ts";
import { POLICY } from "./access-policy.ts";
import {
  askToSignIn,
  enableTwoFactorForReal,
  freshEmail,
  freshPassword,
  linkIn,
  post,
  readMail,
  resultOf,
  signInForReal,
  signUpForReal,
  succeed,
} from "./real-person.ts";
import {
  httpBindings,
  openSecurityWorld,
  type SecurityWorld,
  sendTo,
  signedPaths,
} from "./security-world.ts";

let world: SecurityWorld;
let runtimeLog: Awaited<ReturnType<typeof readRuntimeLog>>;
const lines: string[] = [];
beforeAll(async () => {
  world = await openSecurityWorld();
  runtimeLog = await readRuntimeLog();
  // The test world silences the log; these tests check the log.
  configureLogging();
  for (const method of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
});

test("no table, object, message or log line contains a secret that passed through the product", async () => {
  const canaries: Record<string, string> = {};
  const messages: string[] = [];
  const { policy } = world.flow.queue;
  world.flow.queue.policy = (letter) => {
    messages.push(JSON.stringify(letter.body));
    return policy(letter);
  };

  const person = await signUpForReal(world);
  canaries.password = person.password;
  canaries["verification link"] = person.link.content;
  const opened = await signInForReal(world, person);
  canaries["session token"] = opened.token;
  canaries["wrong password"] = await freshPassword();
  await post(world, "/identity/sign-in", {
    email: person.email,
    password: canaries["wrong password"],
  });

  const factor = await enableTwoFactorForReal(world, opened.token);
  canaries["TOTP secret"] = factor.secret;
  canaries["rotated token"] = factor.token;
  for (const [i, code] of factor.recoveryCodes.entries()) canaries[`second-factor recovery code ${i}`] = code;
  const challenged = resultOf<{ challenge: string }>(await askToSignIn(world, person));
  canaries.challenge = challenged.challenge;
  const code = factor.recoveryCodes[0];
  await succeed(post(world, "/identity/two-factor/answer", { code, challenge: challenged.challenge }));

  await succeed(post(world, "/identity/forgot-password", { email: person.email }));
  const recovery = /\b\d[\d -]{6,10}\d\b/.exec(await readMail(world, person.email))![0].replace(/\D/g, "");
  canaries["recovery code"] = recovery;
  canaries["new password"] = await freshPassword();
  const change = { email: person.email, code: recovery, new_password: canaries["new password"] };
  await succeed(post(world, "/identity/confirm-password", change));

  const guest = freshEmail();
  const roles = [`organization_${PLATFORM}_user`];
  const body = { email: guest, roles };
  await succeed(world.ask("owner", { method: "POST", path: "/api/user/organization-user", body }));
  const invitation = linkIn(await readMail(world, guest), "/invite").get("code")!;
  canaries["invitation code"] = invitation;
  canaries["invited person's password"] = await freshPassword();
  await succeed(
    post(world, "/identity/complete-invitation", {
      email: guest,
      confirmation_code: invitation,
      new_password: canaries["invited person's password"],
      firstName: "Invited",
      lastName: "Guest",
    }),
  );

  for (const [i, token] of (await providerTokens()).entries()) canaries[`provider token ${i}`] = token;

  // A short canary could match by chance and would prove nothing.
  for (const [name, canary] of Object.entries(canaries))
    expect([name, canary.length >= 8]).toEqual([name, true]);
  expect(Object.keys(canaries).length).toBeGreaterThan(20);
  expect(lines.length).toBeGreaterThan(0);

  const places = {
    ...(await everyTable()),
    ...(await everyObject()),
    log: lines.join("\n"),
    "the runtime's log": await runtimeLog.untilNow(),
    messages: messages.join("\n"),
  };
  expect(Object.keys(places).length).toBeGreaterThan(20);
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(canaries).flatMap(([name, canary]) =>
      formsOf(canary).some((form) => text.includes(form)) ? [`${name} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

/** Characters that a header cannot hold, or that make the runtime log the header. */
const ODD = ["\u00e4", "\u{1f4a5}", "\u200b", "\n", "\r", "\u0000"];

test.each(ODD.map((sign) => [`U+${sign.codePointAt(0)!.toString(16).padStart(4, "0")}`, sign]))(
  "a credential pasted with %s is refused and not logged",
  async (_, sign) => {
    const canary = `canary${crypto.randomUUID().replaceAll("-", "")}`;
    const odd = `${canary.slice(0, 20)}${sign}${canary.slice(20)}`;
    const begun = lines.length;
    const keys = { region: "us-east-1", bucketName: "canaries", platform: PLATFORM };
    const forms = [
      { path: `/api/${PLATFORM}/change-github-owner-token`, body: { access_token: odd } },
      {
        path: "/api/user/add-s3-cloud-storage",
        body: { ...keys, accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: odd },
      },
      {
        path: "/api/user/add-s3-cloud-storage",
        body: { ...keys, accessKeyID: odd, secretAccessKey: "w".repeat(40) },
      },
    ];
    for (const form of forms) {
      const answer = await world.ask("owner", { method: "POST", ...form });
      expect([form.path, answer.status, answer.json?.code]).toEqual([form.path, 400, "err.request.invalid"]);
      expect(answer.text).not.toContain(canary.slice(0, 20));
    }
    const query = { code: odd, state: odd };
    for (const path of [`/connect/${PLATFORM}/callback`, "/storage/dropbox/callback"])
      expect((await world.ask("owner", { method: "GET", path, query })).status).toBe(302);
    const said = lines.slice(begun).join("\n") + (await runtimeLog.untilNow());
    expect([said.includes(canary.slice(0, 20)), said.includes(canary.slice(20))]).toEqual([false, false]);
  },
);

test("no input of a call makes the runtime write it to its log", async () => {
  const canary = `canary-${crypto.randomUUID()}-\u00e4\u200b`;
  const ids = await world.own("owner", true);
  for (const [route, { send }] of Object.entries(POLICY)) {
    const [method = "", path = ""] = route.split(" ");
    if (/[:*]/.test(path)) continue;
    const { body = {}, query = {} } = send?.(ids) ?? {};
    for (const each of withCanary(body, canary))
      await world.ask("owner", { method, path, query, body: method === "GET" ? undefined : each });
    for (const each of withCanary(query, canary))
      await world.ask("owner", {
        method,
        path,
        query: each as Record<string, string>,
        body: method === "GET" ? undefined : body,
      });
  }
  for (const path of ["/", "/auth/login", "/api/user/get-user-start-info", "/ws"]) {
    await world.send({ method: "GET", path, headers: { Authorization: encodeURIComponent(canary) } });
    await world.send({ method: "GET", path, query: { next: `/${canary}`, sub: canary } });
  }
  expect(await runtimeLog.untilNow()).not.toContain(canary);
});

test("no log contains a secret from a URL, valid, mistyped or with an internal error", async () => {
  const { download, clone } = await signedPaths(world);
  const carried = `c4NARY${crypto.randomUUID()}`;
  const secrets = [download, clone].flatMap((path) => path.split("/")[2]!.split("."));
  const query = `content=${carried}&iv=${carried}&code=${carried}&state=${carried}&email=${carried}`;
  const addresses = [
    ...[download, clone].flatMap((path) => [
      path,
      `${path}/info/refs`,
      `${path}/`,
      `/${path}`,
      `/x${path}`,
      `${path}.data`,
      path.replace(".", "%2E"),
      path.replace(".", ""),
      path.replace(/^\/(.)/, (_, letter: string) => `/${letter.toUpperCase()}`),
    ]),
    ...["/verify-email", "/invite", "/subscribeToMail", "/api/mail/unsubscribe", "/auth/password-recovery"],
    ...[`/connect/${PLATFORM}/callback`, "/storage/dropbox/callback", "/identity/federation/callback"],
  ].map((path) => `${path}?${query}`);
  const begun = lines.length;
  const broken = { ...httpBindings(world.flow), DB: failing(carried), LEDGER_DE: failing(carried) };
  for (const path of addresses) {
    for (const method of ["GET", "HEAD", "POST"]) {
      const { headers } = await world.ask("owner", { method, path });
      expect(headers.get("Referrer-Policy")).toBe("strict-origin");
    }
    await sendTo(broken, { method: "GET", path, headers: { Authorization: await world.tokenOf("owner") } });
  }
  const said = lines.slice(begun).join("\n");
  expect(said).toContain("/download/");
  expect(said).toContain("failed");
  const places = { log: said, "the runtime's log": await runtimeLog.untilNow() };
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...secrets, carried].flatMap((secret) => (text.includes(secret) ? [`${secret} in ${place}`] : [])),
  );
  expect(found).toEqual([]);
});

test("the search finds a planted canary", async () => {
  await env.VAULT_US.put("planted", utf8("before CANARY-IN-A-BUCKET after"));
  await env.DB.prepare("INSERT INTO used_link VALUES ('CANARY-IN-A-TABLE', 'x', 1, 1)").run();
  const places = { ...(await everyTable()), ...(await everyObject()) };
  const holding = (canary: string) =>
    Object.entries(places).flatMap(([place, text]) => (text.includes(canary) ? [place] : []));
  expect(holding("CANARY-IN-A-BUCKET")).toEqual(["VAULT_US/planted"]);
  expect(holding("CANARY-IN-A-TABLE")).toEqual(["DB.used_link"]);
});

/** Reconnects, backs up, and returns every token that GitHub received meanwhile. */
async function providerTokens(): Promise<string[]> {
  const { services, member } = world.flow;
  const seen = new Set<string>();
  const { fetch } = services;
  services.fetch = (url, init) => {
    const header = new Headers(init?.headers).get("Authorization") ?? "";
    const [kind = "", value = ""] = header.split(" ");
    seen.add(kind.toLowerCase() === "basic" ? atob(value).split(":").slice(1).join(":") : value);
    return fetch(url, init);
  };
  await connect(world.flow);
  await world.flow.outside.control(`repos/${world.item.fullName}/commits`, { count: 1 });
  await requestBackup(services, member, { platform: PLATFORM, itemId: world.item.id });
  await world.flow.drain();
  services.fetch = fetch;
  const tokens = [...seen].filter((token) => token.length >= 20);
  expect(tokens.length).toBeGreaterThan(0);
  return tokens;
}

/** A database whose error contains an address with the canary. */
function failing(carried: string): D1Database {
  const fail = () => {
    throw new Error(`cannot answer https://app.example.test/invite?code=${carried}`);
  };
  return { prepare: fail, batch: fail, exec: fail, dump: fail, withSession: fail } as unknown as D1Database;
}

/** One copy of the value per string in it, with that string replaced by the canary. */
function withCanary(value: unknown, canary: string): unknown[] {
  if (typeof value === "string") return [canary];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, part]) =>
    withCanary(part, canary).map((changed) => {
      if (!Array.isArray(value)) return { ...value, [name]: changed };
      return value.with(Number(name), changed);
    }),
  );
}

/** Encodings in which a secret could be stored unnoticed. */
function formsOf(canary: string): string[] {
  const bytes = utf8(canary);
  return [
    canary,
    btoa(canary),
    toBase64Url(bytes),
    toHex(bytes),
    encodeURIComponent(canary),
    JSON.stringify(canary).slice(1, -1),
  ];
}

/** Every row of every table, as text per table. */
async function everyTable(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const databases = {
    DB: env.DB,
    ...Object.fromEntries(REGIONS.map((region) => [`LEDGER_${region}`, env[`LEDGER_${region}`]])),
  };
  for (const [name, database] of Object.entries(databases)) {
    const tables = await database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .all<{ name: string }>();
    for (const table of tables.results) {
      const { results } = await database.prepare(`SELECT * FROM "${table.name}"`).all();
      texts[`${name}.${table.name}`] = results
        .map((row) => Object.values(row).map(String).join("\t"))
        .join("\n");
    }
  }
  return texts;
}

/** Every object of every bucket, with its bytes as Latin-1. */
async function everyObject(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const buckets = {
    AVATARS: env.AVATARS,
    ...Object.fromEntries(REGIONS.map((region) => [`VAULT_${region}`, env[`VAULT_${region}`]])),
  };
  for (const [name, bucket] of Object.entries(buckets)) {
    for (const key of await listKeys(bucket)) {
      const bytes = await (await bucket.get(key))!.bytes();
      texts[`${name}/${key}`] = key + new TextDecoder("latin1").decode(bytes);
    }
  }
  return texts;
}
