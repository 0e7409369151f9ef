import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { sealLink } from "#core/links/index.ts";
import { getOrganisationKey, listMembers } from "#core/organisations/index.ts";
import {
  accounts,
  codeOf,
  join,
  newPerson,
  OTHER_PASSWORD,
  PASSWORD,
  sessionOf,
  type TestAccounts,
  withCookies,
  withToken,
} from "#tests/harness/accounts.ts";
import { readMailData, readVerificationLink } from "#tests/harness/verification-link.ts";
import {
  completeSignUp,
  confirmEmail,
  createPerson,
  findMember,
  forgotPassword,
  keepAppsToProtect,
  pruneSessions,
  resendVerification,
  signIn,
  signUp,
} from "./index.ts";

type Person = ReturnType<typeof newPerson>;

/** Signs up in a browser and returns the headers that the browser sends from then on. */
async function signUpIn(deps: TestAccounts, person: Person): Promise<Headers> {
  return withCookies((await signUp(deps, person)).setCookie);
}

/** The error code of a sign-in, if any. */
const enter = (deps: TestAccounts, email: string, password = PASSWORD) =>
  codeOf(signIn(deps, { email, password, rememberMe: false }));

const countOf = async (sql: string, ...values: unknown[]) =>
  (await env.DB.prepare(sql)
    .bind(...values)
    .first<number>("n")) ?? 0;

const mailsTo = (email: string, message: string) =>
  countOf("select count(*) as n from mail_outbox where recipient = ? and message = ?", email, message);

const chosen = { password: OTHER_PASSWORD, name: "Anna", familyName: "Sample" };

test("[A-219] [A-370] a sign-up creates nobody; confirming it creates a person and an unnamed organisation with its own vault key", async () => {
  const deps = accounts();
  const person = newPerson();
  const stated = "2026-11-03T08:59:00.000Z";
  const order = { ...person, statedCreatedAt: stated, isAutoConfirmed: true };
  const { isConfirmed, setCookie } = await signUp(deps, order);
  expect(isConfirmed).toBe(false);
  const tables = ["user", "account", "organisation", "member", "session"];
  const counts = async () =>
    Promise.all(tables.map((table) => countOf(`select count(*) as n from ${table}`)));
  const before = await counts();
  await keepAppsToProtect(deps, { email: person.email, appsToProtect: ["trello"] });
  await confirmEmail(deps, await readVerificationLink(person.email), withCookies(setCookie));
  expect(await counts()).toEqual(before.map((count, i) => (tables[i] === "session" ? count : count + 1)));
  const row = await env.DB.prepare(
    "select name, family_name, stated_created_at, is_auto_confirmed, email_verified, apps_to_protect from user where email = ?",
  )
    .bind(person.email)
    .first();
  expect(row).toEqual({
    name: "Ann",
    family_name: "Example",
    stated_created_at: stated,
    is_auto_confirmed: 0,
    email_verified: 1,
    apps_to_protect: '["trello"]',
  });
  expect(await countOf("select count(*) as n from sign_up where email = ?", person.email)).toBe(0);

  const ann = await sessionOf(deps, person);
  const bob = await join(deps);
  expect(ann.member).toMatchObject({
    role: "owner",
    name: "Ann Example",
    timeZone: "UTC",
    platformRoles: {},
  });
  expect(ann.person).toEqual({ name: "Ann", familyName: "Example" });
  expect(ann.member.organisationId).toMatch(/^org_/);
  const keyOfAnn = await getOrganisationKey(deps, ann.member.organisationId);
  const keyOfBob = await getOrganisationKey(deps, bob.member.organisationId);
  expect(keyOfAnn.bytes).toHaveLength(32);
  expect(keyOfAnn.bytes).not.toEqual(keyOfBob.bytes);
  expect((await listMembers(deps, ann.member.organisationId)).map(({ userId }) => userId)).toEqual([
    ann.member.userId,
  ]);
  expect((await findMember(deps, withToken(ann.token)))?.member).toEqual(ann.member);
});

test("[A-031] [A-201] only an embedded installation lets a sign-up confirm itself", async () => {
  const deps = accounts({ RESTRICTED_MODE: "on" });
  const person = newPerson();
  expect(await signUp(deps, { ...person, isAutoConfirmed: true })).toMatchObject({ isConfirmed: true });
  expect(
    await countOf(
      "select is_auto_confirmed as n from user where email = ? and email_verified = 1",
      person.email,
    ),
  ).toBe(1);
  expect(await mailsTo(person.email, "verify-email")).toBe(0);
  const { setCookie } = await sessionOf(deps, person);
  expect(setCookie[0]).toMatch(/Secure; SameSite=None; Partitioned$/);
  // For an address that is taken the response is the same, and no account opens.
  const stranger = { ...person, password: OTHER_PASSWORD, isAutoConfirmed: true };
  expect(await signUp(deps, stranger)).toMatchObject({ isConfirmed: true });
  expect(await mailsTo(person.email, "account-exists")).toBe(1);
  expect(await enter(deps, person.email, OTHER_PASSWORD)).not.toBe("no error");
  expect(await enter(deps, person.email)).toBe("no error");
  expect(await signUp(deps, newPerson())).toMatchObject({ isConfirmed: false });
});

test("signing in reports an unconfirmed address only with the correct password", async () => {
  const deps = accounts();
  const person = newPerson();
  const other = newPerson();
  await signUp(deps, other);
  const browser = await signUpIn(deps, person);
  expect(await enter(deps, person.email, "Wrong7$kettle")).toBe("err.credentials.wrong");
  expect(await enter(deps, person.email)).toBe("err.credentials.unconfirmed");
  await confirmEmail(deps, await readVerificationLink(person.email), browser);
  expect(await enter(deps, person.email)).toBe("no error");
  expect(await enter(deps, other.email)).toBe("err.credentials.unconfirmed");
});

test("a confirmation link works once, for one day, only for its purpose and sign-up", async () => {
  const deps = accounts();
  const person = newPerson();
  const browser = await signUpIn(deps, person);
  const link = await readVerificationLink(person.email);
  const flipped = (text: string) => text.slice(0, -3) + (text.at(-3) === "A" ? "B" : "A") + text.slice(-2);
  for (const forged of [
    { ...link, content: flipped(link.content) },
    { ...link, iv: flipped(link.iv) },
    { content: "", iv: "" },
    { content: "1.", iv: "AAAA" },
    { content: "9".repeat(4000), iv: "%00" },
  ]) {
    expect(await codeOf(confirmEmail(deps, forged, browser))).toBe("err.link.purpose");
    expect(await codeOf(completeSignUp(deps, { link: forged, ...chosen }))).toBe("err.link.purpose");
  }
  const twice = [1, 2].map(() => codeOf(confirmEmail(deps, link, browser)));
  expect((await Promise.all(twice)).sort()).toEqual(["err.link.used", "no error"]);
  expect(await codeOf(completeSignUp(deps, { link, ...chosen }))).toBe("err.link.used");
  const late = newPerson();
  const lateBrowser = await signUpIn(deps, late);
  const lateLink = await readVerificationLink(late.email);
  deps.clock.at += DAY_MS;
  expect(await codeOf(confirmEmail(deps, lateLink, lateBrowser))).toBe("err.link.purpose");
});

test("in another browser the account gets the password chosen there, whatever the sign-up's password", async () => {
  const deps = accounts();
  const person = newPerson();
  const own = await signUpIn(deps, person);
  const link = await readVerificationLink(person.email);
  const needed = { kind: "password_needed", email: person.email, name: "Ann", familyName: "Example" };
  const others = [
    new Headers(),
    await signUpIn(deps, newPerson()),
    withCookies(["__Host-holdfast.sign_up="]),
  ];
  // A secret that the browser already holds is not reused: an earlier user of the browser may know it.
  const carried = await signUpIn(deps, newPerson());
  const planted = newPerson();
  await signUp(deps, planted, carried);
  const plantedLink = await readVerificationLink(planted.email);
  expect(await confirmEmail(deps, plantedLink, carried)).toMatchObject({ kind: "password_needed" });
  for (const browser of others) expect(await confirmEmail(deps, link, browser)).toEqual(needed);
  expect(await enter(deps, person.email)).toBe("err.credentials.unconfirmed");
  const both = [chosen, { ...chosen, name: "Other" }].map((each) =>
    codeOf(completeSignUp(deps, { link, ...each })),
  );
  expect((await Promise.all(both)).sort()).toEqual(["err.link.used", "no error"]);
  expect(await codeOf(confirmEmail(deps, link, own))).toBe("err.link.used");
  expect(await enter(deps, person.email)).toBe("err.credentials.wrong");
  const { member } = await sessionOf(deps, { email: person.email, password: OTHER_PASSWORD });
  expect(["Anna Sample", "Other Sample"]).toContain(member.name);
});

test("of concurrent sign-ups for one address one is kept, with its password, browser and link", async () => {
  const deps = accounts();
  const { email } = newPerson();
  const passwords = [PASSWORD, OTHER_PASSWORD, "Kz4!pWv9^tRs"];
  const browsers = await Promise.all(
    passwords.map((password) => signUpIn(deps, { ...newPerson(), email, password })),
  );
  expect(await mailsTo(email, "verify-email")).toBe(3);
  const told = await Promise.all(passwords.map((password) => enter(deps, email, password)));
  const kept = told.indexOf("err.credentials.unconfirmed");
  expect(told.filter((code) => code === "err.credentials.wrong")).toHaveLength(2);
  const { id } = (await env.DB.prepare("select id from sign_up where email = ?")
    .bind(email)
    .first<{ id: string }>())!;
  deps.clock.at += 1;
  await resendVerification(deps, email);
  await deps.runJobs();
  await confirmEmail(deps, await readVerificationLink(email), browsers[kept]);
  expect(await countOf("select count(*) as n from user where id = ? and email = ?", id, email)).toBe(1);
  expect(await enter(deps, email, passwords[kept])).toBe("no error");
});

test("a sign-up during a confirmation leaves at most one account and no access without confirmation", async () => {
  const moments = ["before", "between", "after"] as const;
  for (const moment of moments) {
    const deps = accounts();
    const person = newPerson();
    const browser = await signUpIn(deps, person);
    const link = await readVerificationLink(person.email);
    deps.clock.at += 1;
    const intrude = () => signUp(deps, { ...person, password: OTHER_PASSWORD });
    if (moment === "before") await intrude();
    const opening = moment === "between" ? { ...deps, control: withIntruder(deps.control, intrude) } : deps;
    const told = await codeOf(confirmEmail(opening, link, browser));
    if (moment === "after") await intrude();
    const isConfirmed = moment === "after";
    expect([moment, told]).toEqual([moment, isConfirmed ? "no error" : "err.link.purpose"]);
    expect(await enter(deps, person.email)).toBe(isConfirmed ? "no error" : "err.credentials.wrong");
    expect(await enter(deps, person.email, OTHER_PASSWORD)).toBe("err.credentials.unconfirmed");
    const people = await countOf("select count(*) as n from user where email = ?", person.email);
    expect([moment, people]).toEqual([moment, Number(isConfirmed)]);
  }
});

/** The database, with `intrude` called right before the next batch. */
function withIntruder(control: ControlDatabase, intrude: () => Promise<unknown>): ControlDatabase {
  const batch = async (statements: Parameters<ControlDatabase["batch"]>[0]) => {
    await intrude();
    return control.batch(statements);
  };
  return Object.create(control, { batch: { value: batch } });
}

test("an address that got an account meanwhile keeps it, and the link reports it", async () => {
  const deps = accounts();
  const person = newPerson();
  const browser = await signUpIn(deps, person);
  const link = await readVerificationLink(person.email);
  await createPerson(deps, person);
  expect(await codeOf(confirmEmail(deps, link, browser))).toBe("err.email.taken");
  expect(await codeOf(completeSignUp(deps, { link, ...chosen }))).toBe("err.email.taken");
  expect(await enter(deps, person.email)).toBe("err.credentials.unconfirmed");
  expect(await codeOf(createPerson(deps, person))).toBe("err.email.taken");
});

test("signing up with the address of an existing account only sends its owner an e-mail", async () => {
  const deps = accounts();
  const person = newPerson();
  await join(deps, person);
  const before = await mailsTo(person.email, "verify-email");
  await signUp(deps, { ...person, password: OTHER_PASSWORD });
  await resendVerification(deps, person.email);
  await deps.runJobs(2);
  expect(await mailsTo(person.email, "verify-email")).toBe(before);
  expect(await mailsTo(person.email, "account-exists")).toBe(2);
  expect(await readMailData(person.email, "account-exists")).toEqual({
    signInUrl: "https://app.example.test/auth/login",
    recoverUrl: "https://app.example.test/auth/password-recovery",
  });
  expect(await enter(deps, person.email)).toBe("no error");
});

test("a new confirmation link is sent only to addresses with an unconfirmed sign-up", async () => {
  const deps = accounts();
  const waiting = newPerson();
  const browser = await signUpIn(deps, waiting);
  const confirmed = await join(deps);
  const first = await readVerificationLink(waiting.email);
  deps.jobs.length = 0;
  const mails = () => countOf("select count(*) as n from mail_outbox");
  const before = await mails();
  for (const email of [waiting.email, confirmed.email, newPerson().email]) {
    expect(await codeOf(resendVerification(deps, email))).toBe("no error");
  }
  expect(deps.jobs).toHaveLength(3);
  deps.clock.at += 1000;
  await deps.runJobs(2);
  expect(await mails()).toBe(before + 1);
  deps.clock.at += 1000;
  await resendVerification(deps, waiting.email);
  await deps.runJobs();
  expect(await mails()).toBe(before + 2);
  const second = await readVerificationLink(waiting.email);
  expect(second).not.toEqual(first);
  await confirmEmail(deps, second, browser);
  expect((await sessionOf(deps, waiting)).member.email).toBe(waiting.email);
});

test("recovery before confirmation sends a link that sets a new password, in any browser", async () => {
  const deps = accounts();
  const person = newPerson();
  const browser = await signUpIn(deps, person);
  deps.clock.at += 1000;
  await forgotPassword(deps, person.email);
  await deps.runJobs(2);
  expect(await mailsTo(person.email, "recovery-code")).toBe(0);
  expect(await mailsTo(person.email, "verify-email")).toBe(2);
  const link = await readVerificationLink(person.email);
  expect(await confirmEmail(deps, link, browser)).toMatchObject({ kind: "password_needed" });
  await completeSignUp(deps, { link, ...chosen });
  expect(await enter(deps, person.email, OTHER_PASSWORD)).toBe("no error");
});

test("a sign-up expires after seven days, and none of its links lasts longer", async () => {
  const deps = accounts();
  const person = newPerson();
  const browser = await signUpIn(deps, person);
  deps.clock.at += 7 * DAY_MS - HOUR_MS;
  await pruneSessions(deps);
  expect(await enter(deps, person.email)).toBe("err.credentials.unconfirmed");
  await resendVerification(deps, person.email);
  await deps.runJobs();
  const link = await readVerificationLink(person.email);
  deps.clock.at += HOUR_MS;
  expect(await enter(deps, person.email)).toBe("err.credentials.wrong");
  expect(await codeOf(confirmEmail(deps, link, browser))).toBe("err.link.purpose");
  await pruneSessions(deps);
  expect(await countOf("select count(*) as n from sign_up where email = ?", person.email)).toBe(0);
});

test("after five e-mails in a quarter of an hour, a sign-up changes nothing and gets the same response", async () => {
  const deps = accounts();
  const person = newPerson();
  await signUp(deps, person);
  for (let i = 0; i < 4; i++) await signUp(deps, { ...person, password: OTHER_PASSWORD });
  const { isConfirmed, setCookie } = await signUp(deps, person);
  expect([isConfirmed, setCookie.length]).toEqual([false, 1]);
  expect(await mailsTo(person.email, "verify-email")).toBe(5);
  // The newest link that was sent works, even when someone tries to block the confirmation.
  const link = await readVerificationLink(person.email);
  await completeSignUp(deps, { link, ...chosen });
  expect(await enter(deps, person.email, OTHER_PASSWORD)).toBe("no error");
});

test("people left unconfirmed by an earlier release become sign-ups, and their links stay valid", async () => {
  const deps = accounts();
  const person = newPerson();
  const confirmed = await join(deps);
  const { userId } = await createPerson(deps, person);
  const { password } = (await env.DB.prepare("select password from account where user_id = ?")
    .bind(confirmed.member.userId)
    .first<{ password: string }>())!;
  await env.DB.batch([
    env.DB.prepare("update user set email_verified = 0 where id = ?").bind(userId),
    env.DB.prepare(
      "insert into account (id, account_id, provider_id, user_id, password, created_at, updated_at) values (?1, ?1, 'credential', ?1, ?2, 0, 0)",
    ).bind(userId, password),
    env.DB.prepare("insert into password_reset values (?, 'h', 0, ?)").bind(userId, deps.clock.at + HOUR_MS),
  ]);
  const migration = env.CONTROL_MIGRATIONS.find(({ name }) => name.includes("sign_ups"))!;
  for (const sql of migration.queries.filter((query) => !/\bcreate\s/i.test(query))) {
    await env.DB.prepare(sql).run();
  }
  expect(await countOf("select count(*) as n from user where email = ?", person.email)).toBe(0);
  expect(await countOf("select count(*) as n from organisation where owner_user_id = ?", userId)).toBe(0);
  expect(await findMember(deps, withToken(confirmed.token))).not.toBeNull();
  expect(await enter(deps, person.email)).toBe("err.credentials.unconfirmed");
  const link = await linkOfEarlierRelease(deps, { userId, email: person.email });
  expect(await confirmEmail(deps, link)).toMatchObject({ kind: "password_needed", email: person.email });
  await completeSignUp(deps, { link, ...chosen });
  expect((await sessionOf(deps, { email: person.email, password: OTHER_PASSWORD })).member.userId).toBe(
    userId,
  );
});

/** A link in the format of an earlier release, when the person already existed. */
async function linkOfEarlierRelease(deps: TestAccounts, payload: { userId: string; email: string }) {
  return sealLink(deps, { purpose: "verify-email", payload, expiresAt: deps.clock.at + DAY_MS });
}
