import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import {
  accounts,
  codeOf,
  join,
  newPerson,
  OTHER_PASSWORD,
  PASSWORD,
  type TestAccounts,
  withCookies,
} from "#tests/harness/accounts.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { readMailData } from "#tests/harness/verification-link.ts";
import {
  confirmPassword,
  forgotPassword,
  keepAppsToProtect,
  resendVerification,
  scryptPasswords,
  signIn,
  signUp,
} from "./index.ts";
import { mayMail } from "./limits.ts";

const WRONG = "Wrong7$kettle";
const from = (address: string) => new Headers({ "CF-Connecting-IP": address });

const attempt = (deps: TestAccounts, email: string, password: string, headers = new Headers()) =>
  codeOf(signIn(deps, { email, password, rememberMe: false }, headers));

test("an account allows ten password checks per fifteen minutes, concurrent or not", async () => {
  const deps = accounts();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 6 }),
      async (bursts) => {
        const { email } = await join(deps);
        const outcomes: string[] = [];
        for (const many of bursts) {
          outcomes.push(
            ...(await Promise.all(Array.from({ length: many }, () => attempt(deps, email, WRONG)))),
          );
        }
        const checked = outcomes.filter((code) => code === "err.credentials.wrong").length;
        expect(checked).toBe(Math.min(outcomes.length, 10));
        if (outcomes.length > 10) expect(await attempt(deps, email, PASSWORD)).toBe("err.credentials.limit");
      },
    ),
    // Each run hashes a dozen passwords.
    { numRuns: isDeep() ? 8 : 2 },
  );
});

test("the eleventh password is not checked within the window, even if it is correct", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  for (let i = 0; i < 10; i++) expect(await attempt(deps, email, WRONG)).toBe("err.credentials.wrong");
  const refused = await signIn(deps, { email, password: PASSWORD, rememberMe: false }).catch(
    (error) => error,
  );
  expect(refused).toMatchObject({
    code: "err.credentials.limit",
    details: { opensAt: deps.clock.at + 15 * MINUTE_MS },
  });
  deps.clock.at += 15 * MINUTE_MS;
  expect(await attempt(deps, email, PASSWORD)).toBe("no error");
});

test("correct passwords neither use up checks nor restore them", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  for (let i = 0; i < 12; i++) expect(await attempt(deps, email, PASSWORD)).toBe("no error");
  for (let i = 0; i < 9; i++) expect(await attempt(deps, email, WRONG)).toBe("err.credentials.wrong");
  expect(await attempt(deps, email, PASSWORD)).toBe("no error");
  expect(await attempt(deps, email, WRONG)).toBe("err.credentials.wrong");
  expect(await attempt(deps, email, WRONG)).toBe("err.credentials.limit");
});

test("guesses from unknown browsers do not lock out a browser that signed in before", async () => {
  const deps = accounts();
  const { email, setCookie } = await join(deps);
  const known = withCookies(setCookie.filter((cookie) => cookie.includes("device")));
  for (let quarter = 0; quarter < 3; quarter++) {
    for (let i = 0; i < 12; i++) await attempt(deps, email, WRONG);
    expect(await attempt(deps, email, PASSWORD)).toBe("err.credentials.limit");
    expect(await attempt(deps, email, PASSWORD, known)).toBe("no error");
    deps.clock.at += 15 * MINUTE_MS;
  }
  // The known browser has its own limit of ten guesses.
  for (let i = 0; i < 10; i++) expect(await attempt(deps, email, WRONG, known)).toBe("err.credentials.wrong");
  expect(await attempt(deps, email, PASSWORD, known)).toBe("err.credentials.limit");
  expect(await attempt(deps, email, PASSWORD)).toBe("no error");
});

test("during such an attack, a person without a known browser can sign in through recovery", async () => {
  const deps = accounts();
  const { email } = await join(deps);
  for (let i = 0; i < 12; i++) await attempt(deps, email, WRONG);
  await forgotPassword(deps, email);
  await deps.runJobs();
  const code = String((await readMailData(email, "recovery-code")).code);
  const { setCookie } = await confirmPassword(deps, { email, code, newPassword: OTHER_PASSWORD });
  expect(await attempt(deps, email, OTHER_PASSWORD)).toBe("err.credentials.limit");
  expect(await attempt(deps, email, OTHER_PASSWORD, withCookies(setCookie))).toBe("no error");
});

test("a browser known to one account is unknown to others, and a forged cookie has no effect", async () => {
  const deps = accounts();
  const ann = await join(deps);
  const bob = await join(deps);
  const ofBob = withCookies(bob.setCookie.filter((cookie) => cookie.includes("device")));
  for (let i = 0; i < 10; i++) await attempt(deps, ann.email, WRONG);
  const name = ofBob.get("Cookie")?.split("=")[0];
  const forged = new Headers({ Cookie: `${name}=${"A".repeat(22)}.${"A".repeat(43)}` });
  for (const headers of [ofBob, forged, new Headers({ Cookie: `${name}=.` })]) {
    expect(await attempt(deps, ann.email, PASSWORD, headers)).toBe("err.credentials.limit");
  }
});

test("an IP address may sign up twenty times per hour and check a hundred passwords per fifteen minutes", async () => {
  const deps = accounts();
  const home = from("203.0.113.7");
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, () => codeOf(signUp(deps, newPerson(), home))),
  );
  expect(outcomes.filter((code) => code === "no error")).toHaveLength(20);
  expect(outcomes.filter((code) => code === "err.attempts.limit")).toHaveLength(4);
  expect(await codeOf(signUp(deps, newPerson(), from("203.0.113.8")))).toBe("no error");
  deps.clock.at += HOUR_MS;
  expect(await codeOf(signUp(deps, newPerson(), home))).toBe("no error");

  const { email } = await join(deps);
  await attempt(deps, email, WRONG, home);
  // Right passwords do not use the address's guesses up.
  await env.DB.prepare("update verification set value = '99' where id like 'password-address:%'").run();
  for (let i = 0; i < 3; i++) expect(await attempt(deps, email, PASSWORD, home)).toBe("no error");
  for (let i = 0; i < 2; i++) await attempt(deps, newPerson().email, WRONG, home);
  await env.DB.prepare("update verification set value = '100' where id like 'password-address:%'").run();
  expect(await attempt(deps, email, PASSWORD, home)).toBe("err.credentials.limit");
  expect(await attempt(deps, email, PASSWORD, from("203.0.113.9"))).toBe("no error");
});

test("an IPv6 network counts as one address, and the local machine is not counted", async () => {
  const deps = accounts();
  const ask = (address: string) => codeOf(forgotPassword(deps, newPerson().email, from(address)));
  const outcomes: string[] = [];
  for (let i = 0; i < 21; i++) outcomes.push(await ask(`2001:db8:0:7::${i.toString(16)}`));
  expect(outcomes.slice(0, 20)).toEqual(Array(20).fill("no error"));
  expect(outcomes[20]).toBe("err.attempts.limit");
  expect(await ask("2001:0db8::7:0:0:0:9")).toBe("err.attempts.limit");
  expect(await ask("2001:db8:0:8::1")).toBe("no error");
  for (let i = 0; i < 25; i++) expect(await ask(i % 2 ? "127.0.0.1" : "::1")).toBe("no error");
  // However the zeros of an address are left out, it is the same network.
  for (let i = 0; i < 20; i++) expect(await ask(i % 2 ? `0::${i}` : `::${i + 2}`)).toBe("no error");
  expect(await ask("0:0:0:0:7::")).toBe("err.attempts.limit");
});

test("every call that takes an e-mail address responds equally for known and unknown ones", async () => {
  const deps = accounts();
  const known = await join(deps);
  const unknown = newPerson().email;
  const code = { code: "00000000", newPassword: OTHER_PASSWORD };
  const calls: ((email: string) => Promise<unknown>)[] = [
    (email) => signIn(deps, { email, password: WRONG, rememberMe: false }),
    (email) => forgotPassword(deps, email),
    (email) => resendVerification(deps, email),
    (email) => confirmPassword(deps, { email, ...code }),
    async (email) => (await signUp(deps, { ...newPerson(), email })).isConfirmed,
    (email) => keepAppsToProtect(deps, { email, appsToProtect: ["github"] }),
  ];
  for (const call of calls) {
    deps.clock.at += 16 * MINUTE_MS;
    const told = async (email: string) =>
      call(email).then(
        (value) => ({ value: JSON.stringify(value) }),
        (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
      );
    // The same beyond the limits.
    for (let i = 0; i < 12; i++) expect(await told(known.email)).toEqual(await told(unknown));
  }
  expect(deps.jobs.filter(({ job }) => job === "write-account-mail")).toHaveLength(20);
});

test("an unknown address costs as many password hashes as a known one", async () => {
  let hashes = 0;
  const cheap = scryptPasswords(2);
  const counted = (password: string) => {
    hashes += 1;
    return cheap.hash(password);
  };
  const deps = accounts(
    {},
    {
      hash: counted,
      // The check hashes even when there is no account.
      check: async (hash, password) => (await counted(password)) !== "" && cheap.check(hash, password),
    },
  );
  const known = await join(deps);
  const calls: [string, number, (email: string) => Promise<unknown>][] = [
    ["sign-in", 2, (email) => signIn(deps, { email, password: WRONG, rememberMe: false })],
    ["forgot-password", 0, (email) => forgotPassword(deps, email)],
    ["sign-up", 1, (email) => signUp(deps, { ...newPerson(), email })],
  ];
  for (const [name, expected, call] of calls)
    for (const email of [known.email, newPerson().email]) {
      deps.clock.at += 16 * MINUTE_MS;
      hashes = 0;
      await call(email).catch(() => null);
      expect([name, email === known.email, hashes]).toEqual([name, email === known.email, expected]);
    }
});

test("a fault while e-mails are counted is no answer about them", async () => {
  const control = new Proxy({} as TestAccounts["control"], {
    get: () => {
      throw new Error("the database is away");
    },
  });
  const recipient = { kind: "recovery", email: newPerson().email, headers: new Headers() };
  await expect(mayMail({ ...accounts(), control }, recipient)).rejects.toThrow("the database is away");
});
