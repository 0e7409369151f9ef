import { env } from "cloudflare:workers";
import {
  type AccountsDeps,
  confirmEmail,
  type NewSession,
  scryptPasswords,
  signIn,
  signUp,
  writeAccountMail,
} from "#core/accounts/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import type { JobMessage, JobPayload } from "#core/jobs/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { readVerificationLink } from "#tests/harness/verification-link.ts";

/** Meets every password rule. */
export const PASSWORD = "Vq7$mRkT2zLw";
export const OTHER_PASSWORD = "xB9!kTq4^wZn";

/** A hash at the production cost takes 60 ms of CPU, and tests of limits make hundreds. */
const CHEAP = scryptPasswords(2);

/**
 * Identity for tests: a clock that the test moves, jobs that it runs, a record of live messages, and cheap passwords
 * unless others are passed.
 */
export function accounts(settings: Partial<AccountsDeps["settings"]> = {}, passwords = CHEAP) {
  const clock = { at: Date.UTC(2026, 10, 3, 9), now: () => clock.at };
  const disconnected: unknown[] = [];
  const jobs: JobMessage[] = [];
  const deps = {
    control: controlDatabase(env),
    clock,
    ids: randomIds,
    passwords,
    settings: {
      PUBLIC_URL: "https://app.example.test",
      AUTH_SECRET: env.AUTH_SECRET,
      MASTER_KEYS: env.MASTER_KEYS,
      LINK_KEYS: env.LINK_KEYS,
      RESTRICTED_MODE: "off" as "on" | "off",
      ...settings,
    },
    live: {
      publish: async () => undefined,
      disconnect: async (_organisationId: string, whose: unknown) => {
        disconnected.push(whose);
      },
    },
    queue: {
      send: async (messages: readonly JobMessage[]) => {
        jobs.push(...messages);
      },
    },
  };
  return {
    ...deps,
    disconnected,
    jobs,
    /** Runs the queued e-mail jobs. `times` simulates a queue that delivers more than once. */
    runJobs: async (times = 1) => {
      const waiting = jobs.splice(0).filter(({ job }) => job === "write-account-mail");
      for (const { payload } of waiting) {
        for (let i = 0; i < times; i++) {
          await writeAccountMail(deps, payload as JobPayload<"write-account-mail">);
        }
      }
      return waiting.length;
    },
  };
}

export type TestAccounts = ReturnType<typeof accounts>;

let people = 0;

/** The sign-up form of a new person. */
export const newPerson = () => ({
  name: "Ann",
  familyName: "Example",
  email: `ann${++people}-${crypto.randomUUID().slice(0, 8)}@example.com`,
  password: PASSWORD,
});

/** Signs up, confirms the address with the e-mailed link, and signs in. */
export async function join(
  deps: TestAccounts,
  person = newPerson(),
): Promise<NewSession & { email: string }> {
  const { setCookie } = await signUp(deps, person);
  await confirmEmail(deps, await readVerificationLink(person.email), withCookies(setCookie));
  return { ...(await sessionOf(deps, person)), email: person.email };
}

/** Signs in to an account without a second factor. */
export async function sessionOf(
  deps: AccountsDeps,
  { email, password }: { email: string; password: string },
  { rememberMe = false, headers = new Headers() } = {},
): Promise<NewSession> {
  const outcome = await signIn(deps, { email, password, rememberMe }, headers);
  if (outcome.kind !== "session") throw new Error("a second factor is asked");
  return outcome;
}

export const withToken = (token: string) => new Headers({ Authorization: `Bearer ${token}` });

/** The cookies of a response as headers for the next request. */
export const withCookies = (setCookie: readonly string[]) =>
  new Headers({
    Cookie: setCookie
      .filter((cookie) => !cookie.includes("Max-Age=0"))
      .map((cookie) => cookie.split(";")[0])
      .join("; "),
  });

/** The error code with which an attempt was rejected. */
export const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "no error",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Decodes a secret as an authenticator app does (RFC 4648 base 32). */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((char) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
