import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { InvariantError } from "#core/kernel/invariant.ts";
import {
  accounts,
  codeOf,
  join,
  newPerson,
  OTHER_PASSWORD,
  PASSWORD,
  sessionOf,
  type TestAccounts,
  withToken,
} from "#tests/harness/accounts.ts";
import { readMailData } from "#tests/harness/verification-link.ts";
import { changePassword, confirmPassword, createPerson, findMember, forgotPassword } from "./index.ts";
import { scryptPasswords } from "./passwords.ts";

const passwords = scryptPasswords();

/** Hashes as earlier releases stored them, with the identity library's scrypt. */
const OLD_HASHES = {
  Vq7$mRkT2zLw:
    "cde9ba3df4d1fd1cbf859b2e1d29158d:ff6fb4aa1f75666603cd1c51babf3399e6ab616a07219195b104d0369597f4389978437027a4e17f454e35c2c41f8673c968de0c443b6bf3388e2f06b371fd26",
  Ünï7$mRkT2zLw:
    "bb22c4feb1a0d6341a846f7383580ca0:b37edadf239190e226fea36eff6e661ae14bc14ca52361796946937c3a8acc2a334594473559d4758471cb79585e72e8f9a1f915124f24dd01ef551890e8e659",
};

test("existing hashes stay valid, new ones have the same format, and a hash matches only its own password", async () => {
  for (const [password, old] of Object.entries(OLD_HASHES)) {
    // The same password, however the keyboard composes a letter.
    for (const typed of [password, password.normalize("NFD")])
      expect(await passwords.check(old, typed)).toBe(true);
    expect(await passwords.check(old, `${password} `)).toBe(false);
    const [one, two] = [await passwords.hash(password), await passwords.hash(password)];
    expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect(one).not.toBe(two);
    expect([await passwords.check(one, password), await passwords.check(one, "Vq7$mRkT2zL")]).toEqual([
      true,
      false,
    ]);
  }
  const { email } = await join(accounts({}, passwords));
  await env.DB.prepare(
    "update account set password = ? where user_id = (select id from user where email = ?)",
  )
    .bind(OLD_HASHES[PASSWORD], email)
    .run();
  expect(await codeOf(sessionOf(accounts({}, passwords), { email, password: PASSWORD }))).toBe("no error");
});

test("without a hash no password matches, and a malformed hash throws", async () => {
  expect(await passwords.check(null, PASSWORD)).toBe(false);
  for (const broken of ["", "plain", `${"0".repeat(32)}:`, OLD_HASHES[PASSWORD].toUpperCase()]) {
    await expect(passwords.check(broken, PASSWORD)).rejects.toThrow(InvariantError);
  }
});

/** The code of the newest recovery e-mail. */
async function recoveryCode(deps: TestAccounts, email: string): Promise<string> {
  deps.clock.at += 1000;
  await forgotPassword(deps, email);
  await deps.runJobs();
  return String((await readMailData(email, "recovery-code")).code);
}

const recover = (deps: TestAccounts, email: string, code: string) =>
  codeOf(confirmPassword(deps, { email, code, newPassword: OTHER_PASSWORD }));

test("[A-372] [A-373] a code from the e-mail sets a new password once and ends every session", async () => {
  const deps = accounts();
  const person = newPerson();
  const { email } = person;
  const session = await join(deps, person);
  const code = await recoveryCode(deps, email);
  expect(code).toMatch(/^[0-9]{8}$/);
  const stored = await env.DB.prepare("select * from password_reset").all();
  expect(JSON.stringify(stored.results)).not.toContain(code);
  const both = await Promise.all([recover(deps, email, code), recover(deps, email, code)]);
  expect(both.sort()).toEqual(["err.recovery.code", "no error"]);
  expect(await findMember(deps, withToken(session.token))).toBeNull();
  expect(deps.disconnected).toContainEqual({ userId: session.member.userId });
  expect(await codeOf(sessionOf(deps, person))).toBe("err.credentials.wrong");
  expect(await codeOf(sessionOf(deps, { email, password: OTHER_PASSWORD }))).toBe("no error");
  expect(await readMailData(email, "password-changed")).toMatchObject({
    changedAt: deps.clock.at,
    recoverUrl: "https://app.example.test/auth/password-recovery",
  });
});

test("a recovery code allows five tries within fifteen minutes; only the newest is valid", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  const code = await recoveryCode(deps, email);
  const wrong = String((Number(code) + 1) % 1e8).padStart(8, "0");
  for (let i = 0; i < 5; i++) expect(await recover(deps, email, wrong)).toBe("err.recovery.code");
  expect(await recover(deps, email, code)).toBe("err.recovery.code");

  const second = await recoveryCode(deps, email);
  deps.clock.at += 15 * MINUTE_MS;
  expect(await recover(deps, email, second)).toBe("err.recovery.code");

  const third = await recoveryCode(deps, email);
  const fourth = await recoveryCode(deps, email);
  expect(await recover(deps, email, third)).toBe("err.recovery.code");
  expect(await recover(deps, email, fourth)).toBe("no error");
});

test("the fifth try of a recovery code may be the right one", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  const code = await recoveryCode(deps, email);
  const wrong = String((Number(code) + 1) % 1e8).padStart(8, "0");
  for (let i = 0; i < 4; i++) expect(await recover(deps, email, wrong)).toBe("err.recovery.code");
  expect(await recover(deps, email, code)).toBe("no error");
});

test("a job that is delivered again sends no second e-mail and gives no try back", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  await forgotPassword(deps, email);
  await deps.runJobs(3);
  const mails = env.DB.prepare(
    "select count(*) as n from mail_outbox where recipient = ? and message = 'recovery-code'",
  );
  expect(await mails.bind(email).first("n")).toBe(1);
  const code = String((await readMailData(email, "recovery-code")).code);
  expect(await recover(deps, email, code)).toBe("no error");
});

test("a code is valid only for its person", async () => {
  const deps = accounts();
  const ann = await join(deps);
  const bob = await join(deps);
  const code = await recoveryCode(deps, ann.email);
  await recoveryCode(deps, bob.email);
  expect(await recover(deps, bob.email, code)).toBe("err.recovery.code");
  expect(await recover(deps, newPerson().email, code)).toBe("err.recovery.code");
  expect(await recover(deps, ann.email, code)).toBe("no error");
});

test("recovery sets a first password for a person without one and confirms the address", async () => {
  const deps = accounts();
  const { email, name, familyName } = newPerson();
  await createPerson(deps, { email, name, familyName });
  // Simulates a person whom an earlier release stored before they confirmed.
  await env.DB.prepare("update user set email_verified = 0 where email = ?").bind(email).run();
  expect(await codeOf(sessionOf(deps, { email, password: PASSWORD }))).toBe("err.credentials.wrong");
  expect(await recover(deps, email, await recoveryCode(deps, email))).toBe("no error");
  expect((await sessionOf(deps, { email, password: OTHER_PASSWORD })).member.email).toBe(email);
});

test("[A-389] changing the password requires the old one, rotates the session and ends the others", async () => {
  const deps = accounts();
  const person = newPerson();
  const { email } = person;
  const here = await join(deps, person);
  const there = await sessionOf(deps, person);
  const change = (oldPassword: string) =>
    changePassword(deps, here.member, {
      sessionId: here.session.id,
      oldPassword,
      newPassword: OTHER_PASSWORD,
    });
  expect(await codeOf(change("Wrong7$kettle"))).toBe("err.password.wrong");
  expect(await findMember(deps, withToken(here.token))).not.toBeNull();
  await env.DB.prepare("update organisation set time_zone = 'Europe/Berlin' where id = ?")
    .bind(here.member.organisationId)
    .run();
  const fresh = await change(PASSWORD);
  expect(fresh.token).not.toBe(here.token);
  expect(await findMember(deps, withToken(here.token))).toBeNull();
  expect(await findMember(deps, withToken(there.token))).toBeNull();
  expect((await findMember(deps, withToken(fresh.token)))?.session.expiresAt).toBe(here.session.expiresAt);
  expect(await codeOf(sessionOf(deps, person))).toBe("err.credentials.wrong");
  expect(await codeOf(sessionOf(deps, { email, password: OTHER_PASSWORD }))).toBe("no error");
  expect((await readMailData(email, "password-changed")).timeZone).toBe("Europe/Berlin");
  const told = env.DB.prepare(
    "select count(*) as n from audit_entry where organisation_id = ? and action = 'change-password'",
  );
  expect(await told.bind(here.member.organisationId).first("n")).toBe(1);
});

test("the old password may be checked ten times per fifteen minutes", async () => {
  const deps = accounts();
  const here = await join(deps);
  const change = (oldPassword: string) =>
    codeOf(
      changePassword(deps, here.member, {
        sessionId: here.session.id,
        oldPassword,
        newPassword: OTHER_PASSWORD,
      }),
    );
  for (let i = 0; i < 10; i++) expect(await change("Wrong7$kettle")).toBe("err.password.wrong");
  expect(await change(PASSWORD)).toBe("err.credentials.limit");
  deps.clock.at += 15 * MINUTE_MS;
  expect(await change(PASSWORD)).toBe("no error");
});

test("a person who signs in through a provider has no password to change", async () => {
  const deps = accounts();
  const here = await join(deps);
  await env.DB.prepare("delete from account where user_id = ?").bind(here.member.userId).run();
  const change = changePassword(deps, here.member, {
    sessionId: here.session.id,
    oldPassword: PASSWORD,
    newPassword: OTHER_PASSWORD,
  });
  expect(await codeOf(change)).toBe("err.password.absent");
});

test("a person left unconfirmed by an earlier release is told so and can sign in only with a code from their mailbox", async () => {
  const deps = accounts();
  const person = newPerson();
  await join(deps, person);
  await env.DB.prepare("update user set email_verified = 0 where email = ?").bind(person.email).run();
  expect(await codeOf(sessionOf(deps, person))).toBe("err.credentials.unconfirmed");
  expect(await recover(deps, person.email, await recoveryCode(deps, person.email))).toBe("no error");
  expect(await codeOf(sessionOf(deps, { ...person, password: OTHER_PASSWORD }))).toBe("no error");
});
