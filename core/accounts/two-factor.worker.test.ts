import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import {
  accounts,
  codeOf,
  fromBase32,
  join,
  newPerson,
  PASSWORD,
  sessionOf,
  type TestAccounts,
  withCookies,
  withToken,
} from "#tests/harness/accounts.ts";
import {
  answerChallenge,
  checkTwoFactor,
  createFactorSecret,
  disableTwoFactor,
  enableTwoFactor,
  endSessions,
  findMember,
  type NewSession,
  readChallenge,
  renewRecoveryCodes,
  signIn,
  verifyFactorCode,
} from "./index.ts";
import { codeOfStep, stepAt } from "./totp.ts";

const STEP_MS = 30_000;
const of = ({ member, session }: NewSession) => ({ member, sessionId: session.id });

/** A person with the second factor enabled, and the current code of their authenticator. */
async function protectedPerson(deps: TestAccounts) {
  const person = newPerson();
  const first = await join(deps, person);
  const { secret } = await createFactorSecret(deps, of(first));
  const key = fromBase32(secret);
  const codeNow = (steps = 0) => codeOfStep(key, stepAt(deps.clock.at) + steps);
  await verifyFactorCode(deps, { ...of(first), code: codeNow() });
  const enabled = await enableTwoFactor(deps, of(first));
  deps.clock.at += 2 * STEP_MS;
  const begin = async (headers = new Headers()) => {
    const { email, password } = person;
    const outcome = await signIn(deps, { email, password, rememberMe: true }, headers);
    if (outcome.kind !== "two_factor") throw new Error("no second factor is asked");
    return outcome;
  };
  return { person, first, enabled, codeNow, begin };
}

test("[A-376] [A-377] [A-378] [A-380] enabling requires a secret and one of its codes, and rotates the session", async () => {
  const deps = accounts();
  const person = newPerson();
  const first = await join(deps, person);
  const second = await sessionOf(deps, person);
  const { userId } = first.member;
  expect(await checkTwoFactor(deps, userId)).toEqual({ isEnabled: false, recoveryCodesLeft: 0 });
  expect(await codeOf(verifyFactorCode(deps, { ...of(first), code: "123456" }))).toBe("err.code.invalid");
  const { secret, uri } = await createFactorSecret(deps, of(first));
  expect(uri).toContain(secret);
  const key = fromBase32(secret);
  expect(key).toHaveLength(20);
  const code = codeOfStep(key, stepAt(deps.clock.at));
  expect(await codeOf(enableTwoFactor(deps, of(first)))).toBe("err.two.factor.unproved");
  await verifyFactorCode(deps, { ...of(first), code });
  expect(await codeOf(enableTwoFactor(deps, of(second)))).toBe("err.two.factor.unproved");
  deps.clock.at += 5 * MINUTE_MS;
  expect(await codeOf(enableTwoFactor(deps, of(first)))).toBe("err.two.factor.unproved");
  await verifyFactorCode(deps, { ...of(first), code: codeOfStep(key, stepAt(deps.clock.at)) });

  const enabled = await enableTwoFactor(deps, of(first));
  expect(enabled.recoveryCodes).toHaveLength(10);
  expect(new Set(enabled.recoveryCodes).size).toBe(10);
  for (const each of enabled.recoveryCodes) expect(each).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
  expect(await checkTwoFactor(deps, userId)).toEqual({ isEnabled: true, recoveryCodesLeft: 10 });
  expect(await findMember(deps, withToken(first.token))).toBeNull();
  expect(await findMember(deps, withToken(second.token))).toBeNull();
  expect((await findMember(deps, withToken(enabled.token)))?.member).toEqual(first.member);
  expect(await codeOf(createFactorSecret(deps, of(enabled)))).toBe("err.two.factor.enabled");
  expect(await codeOf(enableTwoFactor(deps, of(enabled)))).toBe("err.two.factor.enabled");

  const rows = await env.DB.prepare("select * from two_factor").all();
  const codes = await env.DB.prepare("select * from recovery_code").all();
  const stored = JSON.stringify([rows.results, codes.results]);
  expect(stored).not.toContain(secret);
  for (const each of enabled.recoveryCodes) expect(stored).not.toContain(each.replace("-", ""));
});

test("[A-228] [A-371] with a second factor, a correct password opens no session before the code", async () => {
  const deps = accounts();
  const { begin, codeNow, first } = await protectedPerson(deps);
  const count = () =>
    env.DB.prepare("select count(*) as n from session where user_id = ?")
      .bind(first.member.userId)
      .first<number>("n");
  const before = await count();
  const { challenge, expiresAt, setCookie } = await begin();
  expect(await count()).toBe(before);
  expect(expiresAt).toBe(deps.clock.at + 10 * MINUTE_MS);
  expect(setCookie.join()).toMatch(/^__Host-holdfast\.challenge=.*HttpOnly; Secure; SameSite=Lax$/);
  expect(await findMember(deps, withToken(challenge))).toBeNull();
  const stored = await env.DB.prepare("select * from sign_in_challenge").all();
  expect(JSON.stringify(stored.results)).not.toContain(challenge);

  const browser = withCookies(setCookie);
  expect(await readChallenge(deps, browser)).toEqual({ expiresAt });
  expect(await codeOf(readChallenge(deps, new Headers()))).toBe("err.challenge.expired");
  const opened = await answerChallenge(deps, { code: codeNow() }, browser);
  expect(opened.setCookie[0]).toContain("Max-Age=2592000");
  expect((await findMember(deps, withToken(opened.token)))?.member.userId).toBe(first.member.userId);
  expect(await codeOf(answerChallenge(deps, { code: codeNow(1), challenge }))).toBe("err.challenge.expired");
  const byBody = await begin();
  const other = await answerChallenge(deps, { code: codeNow(1), challenge: byBody.challenge });
  expect(await findMember(deps, withToken(other.token))).not.toBeNull();
});

test("a code is accepted once, even for concurrent requests in several browsers", async () => {
  const deps = accounts();
  const { begin, codeNow } = await protectedPerson(deps);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.integer({ min: -1, max: 1 }), async (many, steps) => {
      deps.clock.at += 20 * MINUTE_MS;
      const challenges: string[] = [];
      for (let i = 0; i < many; i++) challenges.push((await begin()).challenge);
      const code = codeNow(steps);
      const outcomes = await Promise.all(
        challenges.map((challenge) => codeOf(answerChallenge(deps, { code, challenge }))),
      );
      expect(outcomes.sort()).toEqual([...Array(many - 1).fill("err.code.used"), "no error"]);
      const earlier = (await begin()).challenge;
      expect(await codeOf(answerChallenge(deps, { code: codeNow(steps - 1), challenge: earlier }))).not.toBe(
        "no error",
      );
    }),
    { numRuns: 6 },
  );
});

test("a challenge opens one session, even for two valid concurrent codes", async () => {
  const deps = accounts();
  const { begin, codeNow, enabled } = await protectedPerson(deps);
  const { challenge } = await begin();
  const outcomes = await Promise.all([
    codeOf(answerChallenge(deps, { code: codeNow(), challenge })),
    codeOf(answerChallenge(deps, { code: enabled.recoveryCodes[0] ?? "", challenge })),
  ]);
  expect(outcomes.sort()).toEqual(["err.challenge.expired", "no error"]);
});

test("[A-415] [A-417] [A-418] wrong, old and used codes have different errors", async () => {
  const deps = accounts();
  const { begin, codeNow } = await protectedPerson(deps);
  deps.clock.at += 20 * MINUTE_MS;
  const used = codeNow();
  await answerChallenge(deps, { code: used, challenge: (await begin()).challenge });
  const { challenge } = await begin();
  const attempt = (code: string) => answerChallenge(deps, { code, challenge }).catch((error) => error);
  for (const [code, name, sentence] of [
    [used, "err.code.used", "Please wait for your app to refresh a new code"],
    [codeNow(-4), "err.code.expired", "Code has expired, please check your authenticator"],
    [codeNow(500), "err.code.invalid", "Code is invalid, please check your authenticator"],
  ] as const) {
    expect(await attempt(code)).toMatchObject({ code: name, message: sentence });
  }
});

test("a challenge allows five tries within ten minutes", async () => {
  const deps = accounts();
  const { begin, codeNow } = await protectedPerson(deps);
  deps.clock.at += 20 * MINUTE_MS;
  const { challenge } = await begin();
  for (let i = 0; i < 5; i++) {
    expect(await codeOf(answerChallenge(deps, { code: codeNow(300 + i), challenge }))).toBe(
      "err.code.invalid",
    );
  }
  expect(await codeOf(answerChallenge(deps, { code: codeNow(), challenge }))).toBe("err.challenge.expired");
  const late = await begin();
  deps.clock.at += 10 * MINUTE_MS;
  const answer = answerChallenge(deps, { code: codeNow(), challenge: late.challenge });
  expect(await codeOf(answer)).toBe("err.challenge.expired");
});

test("all unknown browsers share ten code checks per fifteen minutes, and a known browser is never locked out", async () => {
  const deps = accounts();
  const { begin, codeNow, enabled } = await protectedPerson(deps);
  deps.clock.at += 20 * MINUTE_MS;
  const outcomes: string[] = [];
  for (let i = 0; i < 14; i++) {
    const { challenge } = await begin();
    outcomes.push(await codeOf(answerChallenge(deps, { code: codeNow(300 + i), challenge })));
  }
  expect(outcomes.filter((code) => code === "err.code.invalid")).toHaveLength(10);
  expect(outcomes.slice(10)).toEqual(Array(4).fill("err.attempts.limit"));
  const known = withCookies(enabled.setCookie.filter((cookie) => cookie.includes("device")));
  const { challenge } = await begin(known);
  expect(await codeOf(answerChallenge(deps, { code: codeNow(), challenge }, known))).toBe("no error");
  deps.clock.at += 15 * MINUTE_MS;
  const again = await begin();
  expect(await codeOf(answerChallenge(deps, { code: codeNow(), challenge: again.challenge }))).toBe(
    "no error",
  );
});

test("a recovery code works once, with any spacing and case", async () => {
  const deps = accounts();
  const { begin, enabled, first } = await protectedPerson(deps);
  const [one = "", two = ""] = enabled.recoveryCodes;
  await answerChallenge(deps, { code: one, challenge: (await begin()).challenge });
  expect(await codeOf(answerChallenge(deps, { code: one, challenge: (await begin()).challenge }))).toBe(
    "err.code.invalid",
  );
  const challenges = [(await begin()).challenge, (await begin()).challenge];
  const typed = ` ${two.toUpperCase().replace("-", " ")} `;
  const both = await Promise.all(
    challenges.map((challenge) => codeOf(answerChallenge(deps, { code: typed, challenge }))),
  );
  expect(both.sort()).toEqual(["err.code.invalid", "no error"]);
  const left = await checkTwoFactor(deps, first.member.userId);
  expect(left).toEqual({ isEnabled: true, recoveryCodesLeft: 8 });
  const stranger = await protectedPerson(deps);
  const theirs = (await stranger.begin()).challenge;
  const foreign = enabled.recoveryCodes[2] ?? "";
  expect(await codeOf(answerChallenge(deps, { code: foreign, challenge: theirs }))).toBe("err.code.invalid");
});

test("[A-379] disabling requires a fresh code of this session; afterwards no code is requested and old codes are invalid", async () => {
  const deps = accounts();
  const { person, enabled, codeNow, first } = await protectedPerson(deps);
  const other = await protectedPerson(deps);
  expect(await codeOf(disableTwoFactor(deps, of(enabled)))).toBe("err.two.factor.unproved");
  expect(await checkTwoFactor(deps, first.member.userId)).toEqual({ isEnabled: true, recoveryCodesLeft: 10 });
  await verifyFactorCode(deps, { ...of(enabled), code: codeNow() });
  const disabled = await disableTwoFactor(deps, of(enabled));
  expect(await findMember(deps, withToken(enabled.token))).toBeNull();
  expect(await findMember(deps, withToken(disabled.token))).not.toBeNull();
  expect((await sessionOf(deps, person)).member.userId).toBe(first.member.userId);
  expect(await checkTwoFactor(deps, first.member.userId)).toEqual({ isEnabled: false, recoveryCodesLeft: 0 });
  const codes = env.DB.prepare("select count(*) as n from recovery_code where user_id = ?");
  expect(await codes.bind(first.member.userId).first("n")).toBe(0);
  expect(await codes.bind(other.first.member.userId).first("n")).toBe(10);
});

test("new recovery codes take a fresh code of this session, void the old ones, and are in the audit trail", async () => {
  const deps = accounts();
  const { begin, enabled, codeNow, first } = await protectedPerson(deps);
  const other = await protectedPerson(deps);
  const unprotected = await join(deps);
  expect(await codeOf(renewRecoveryCodes(deps, of(unprotected)))).toBe("err.two.factor.unproved");
  expect(await codeOf(renewRecoveryCodes(deps, of(enabled)))).toBe("err.two.factor.unproved");
  await verifyFactorCode(deps, { ...of(enabled), code: codeNow() });
  const { recoveryCodes } = await renewRecoveryCodes(deps, of(enabled));
  expect(recoveryCodes).toHaveLength(10);
  expect(await codeOf(renewRecoveryCodes(deps, of(enabled)))).toBe("err.two.factor.unproved");
  const answer = async (code: string) =>
    codeOf(answerChallenge(deps, { code, challenge: (await begin()).challenge }));
  expect(await answer(enabled.recoveryCodes[0]!)).toBe("err.code.invalid");
  expect(await answer(recoveryCodes[0]!)).toBe("no error");
  expect(await checkTwoFactor(deps, first.member.userId)).toEqual({ isEnabled: true, recoveryCodesLeft: 9 });
  const ofOther = await checkTwoFactor(deps, other.first.member.userId);
  expect(ofOther).toEqual({ isEnabled: true, recoveryCodesLeft: 10 });
  const told = env.DB.prepare(
    "select count(*) as n from audit_entry where organisation_id = ? and action = 'renew-recovery-codes'",
  );
  expect(await told.bind(first.member.organisationId).first("n")).toBe(1);
});

test("enabling twice at once makes one set of recovery codes, which work", async () => {
  const deps = accounts();
  const first = await join(deps, newPerson());
  const { secret } = await createFactorSecret(deps, of(first));
  const code = codeOfStep(fromBase32(secret), stepAt(deps.clock.at));
  await verifyFactorCode(deps, { ...of(first), code });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => enableTwoFactor(deps, of(first))));
  const done = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(done).toHaveLength(1);
  const { email } = first.member;
  const outcome = await signIn(deps, { email, password: PASSWORD, rememberMe: false });
  if (outcome.kind !== "two_factor") throw new Error("no second factor is asked");
  const { challenge } = outcome;
  expect(await codeOf(answerChallenge(deps, { code: done[0]?.recoveryCodes[9] ?? "", challenge }))).toBe(
    "no error",
  );
});

test("ending a person's sessions also ends a pending sign-in", async () => {
  const deps = accounts();
  const { begin, codeNow, first } = await protectedPerson(deps);
  const { challenge } = await begin();
  await endSessions(deps, { userId: first.member.userId });
  expect(await codeOf(answerChallenge(deps, { code: codeNow(), challenge }))).toBe("err.challenge.expired");
});

test("enabling and disabling send an e-mail and are audited", async () => {
  const deps = accounts();
  const { enabled, codeNow, first } = await protectedPerson(deps);
  await verifyFactorCode(deps, { ...of(enabled), code: codeNow() });
  await disableTwoFactor(deps, of(enabled));
  const mails = env.DB.prepare(
    "select count(*) as n from mail_outbox where recipient = ? and message = 'two-factor-changed'",
  );
  expect(await mails.bind(first.member.email).first("n")).toBe(2);
  const { results } = await env.DB.prepare(
    "select action from audit_entry where organisation_id = ? and action like '%two-factor' order by rowid",
  )
    .bind(first.member.organisationId)
    .all();
  expect(results).toEqual([{ action: "enable-two-factor" }, { action: "disable-two-factor" }]);
});

test("ten wrong codes in the settings keep that person from a try, and nobody else", async () => {
  const deps = accounts();
  const [ann, bob] = [await join(deps), await join(deps)];
  for (const person of [ann, bob]) await createFactorSecret(deps, of(person));
  const attempt = (person: NewSession) => codeOf(verifyFactorCode(deps, { ...of(person), code: "000" }));
  for (let i = 0; i < 10; i++) expect(await attempt(ann)).toBe("err.code.invalid");
  expect(await attempt(ann)).toBe("err.attempts.limit");
  expect(await attempt(bob)).toBe("err.code.invalid");
});
