import { generateTOTP } from "@oslojs/otp";
import { expect } from "vitest";
import { isStrongPassword } from "#core/accounts/password-strength.schema.ts";
import type { Answer, SecurityWorld } from "./security-world.ts";

/** A person who signed up through the product's own routes. */
export type RealPerson = { email: string; password: string };

/** A unique password that meets every rule. */
export async function freshPassword(): Promise<string> {
  for (;;) {
    const bytes = [...crypto.getRandomValues(new Uint8Array(12))];
    const password = `Q7$${bytes.map((byte) => "bcdfghjkmnpqrtvwxz"[byte % 18]).join("")}`;
    // Random passwords may contain repeats and words, which the product rejects.
    if (await isStrongPassword(password)) return password;
  }
}

export const freshEmail = () => `real-${crypto.randomUUID().slice(0, 12)}@meridian.example`;

/** The newest e-mail to a person, after all queued work is done. */
export async function readMail(world: SecurityWorld, to: string): Promise<string> {
  await world.flow.drain();
  const mail = world.flow.mails.filter((each) => each.to === to).at(-1);
  if (!mail) throw new Error(`There is no e-mail to ${to}.`);
  return mail.text;
}

/** The query of the first link in a text whose path starts with `path`. */
export function linkIn(text: string, path: string): URLSearchParams {
  const address = text.match(/https:\/\/\S+/g)?.find((each) => new URL(each).pathname.startsWith(path));
  if (!address) throw new Error(`There is no link to ${path} in: ${text}`);
  return new URL(address).searchParams;
}

/** Signs up and confirms the address with the e-mailed link. Also returns that link. */
export async function signUpForReal(
  world: SecurityWorld,
): Promise<RealPerson & { link: { iv: string; content: string } }> {
  const person = { email: freshEmail(), password: await freshPassword() };
  const names = { name: "Real", family_name: "Person" };
  const signedUp = await succeed(post(world, "/identity/sign-up", { ...person, ...names }));
  const browser = { Cookie: signedUp.headers.getSetCookie()[0]!.split(";")[0]! };
  const query = linkIn(await readMail(world, person.email), "/verify-email");
  const link = { iv: query.get("iv")!, content: query.get("content")! };
  await succeed(post(world, "/api/email-verification", link, browser));
  return { ...person, link };
}

/** Signs in as an API client does. @returns the session's token */
export async function signInForReal(
  world: SecurityWorld,
  person: RealPerson,
  headers: Record<string, string> = {},
): Promise<{ token: string }> {
  return resultOf<{ token: string }>(await askToSignIn(world, person, headers));
}

/** Sends the password as an API client does. The response is a session or asks for the second factor. */
export function askToSignIn(
  world: SecurityWorld,
  { email, password }: RealPerson,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return succeed(post(world, "/identity/sign-in", { email, password, session_as: "token" }, headers));
}

/** Enables the second factor. @returns its secret and recovery codes, and the token of the session after it */
export async function enableTwoFactorForReal(
  world: SecurityWorld,
  token: string,
): Promise<{ secret: string; recoveryCodes: string[]; token: string }> {
  const auth = { Authorization: token };
  const { secret } = resultOf<{ secret: string }>(
    await succeed(post(world, "/identity/two-factor/secret", {}, auth)),
  );
  const code = generateTOTP(fromBase32(secret), 30, 6);
  await succeed(post(world, "/identity/two-factor/verify", { code }, auth));
  const answer = await succeed(post(world, "/identity/two-factor/enable", {}, auth));
  const { recovery_codes: recoveryCodes, token: next } = resultOf<{
    recovery_codes: string[];
    token: string;
  }>(answer);
  return { secret, recoveryCodes, token: next };
}

/** Posts JSON. */
export function post(
  world: SecurityWorld,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return world.send({ method: "POST", path, body, headers });
}

/** Expects a successful response. */
export async function succeed(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)]);
  return answer;
}

export function resultOf<T>({ json }: Answer): T {
  return json!.result as T;
}

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Decodes RFC 4648 base 32 without padding. */
function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE_32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2),
  );
}
