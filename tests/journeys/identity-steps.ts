import { generateHOTP } from "@oslojs/otp";
import { expect, type Page } from "@playwright/test";
import { mailsTo } from "./outside.ts";
import { freshEmail } from "./person.ts";
import { APP_URL, confirmPast } from "./stack.ts";

/** Meets every password rule, including the dictionary check. */
export const STRONG = 'Rq7"vmK2pLd!';
export const STRONGER = "Wj4%tzB9xNc^q";

/** Calls the product directly, with the page's cookies. @throws Error with the response */
export async function ask<Result>(page: Page, method: "GET" | "POST", path: string, data?: object) {
  const answer = await page.request.fetch(`${APP_URL}${path}`, {
    method,
    headers: { Origin: APP_URL },
    ...(data ? { data } : {}),
  });
  const body = (await answer.json()) as { status: string; message: string | null; result: Result };
  if (body.status !== "success") throw new Error(`${path} refused: ${body.message}`);
  return body.result;
}

/** The text of the newest mail to an address with a matching subject. Waits until `count` have arrived. */
export async function mailTo(email: string, subject: RegExp, count = 1): Promise<string> {
  let text: string | undefined;
  await expect
    .poll(async () => {
      const mails = (await mailsTo(email)).filter((mail) => subject.test(mail.subject));
      text = mails[0]?.text;
      return mails.length;
    })
    .toBe(count);
  return text ?? "";
}

/** The confirmation link in the newest mail. */
export async function confirmationLink(email: string, count = 1): Promise<string> {
  const text = await mailTo(email, /Confirm your email/, count);
  const link = /https?:\/\/\S*\/verify-email\?\S+/.exec(text)?.[0];
  if (!link) throw new Error(`The mail has no confirmation link:\n${text}`);
  return link;
}

/** Creates an account through the API. Its e-mail address is not confirmed. */
export async function makeAccount(page: Page, email = freshEmail()): Promise<string> {
  const account = { email, password: STRONG, name: "Runa", family_name: "Holm" };
  await ask(page, "POST", "/identity/sign-up", account);
  return email;
}

/** Creates an account and confirms its e-mail address, without the pages. Does not sign in. */
export async function makeConfirmed(page: Page, email = freshEmail()): Promise<string> {
  await makeAccount(page, email);
  await confirmPast(email);
  return email;
}

/** Signs in through the API. */
export async function signInPast(page: Page, email: string, password = STRONG): Promise<void> {
  await ask(page, "POST", "/identity/sign-in", { email, password });
}

/** Fills in the sign-in form and submits it. */
export async function fillSignIn(page: Page, email: string, password = STRONG): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** An authenticator with the secret of a person's second factor. */
export type Authenticator = {
  /** A code of the next half minute, so that it does not expire in a slow journey. May be called once. */
  nextCode: () => string;
  recoveryCodes: string[];
};

const STEP_MS = 30_000;

/** Enables two-factor for the signed-in person, without the settings page. */
export async function enableTwoFactor(page: Page): Promise<Authenticator> {
  const { secret } = await ask<{ secret: string }>(page, "POST", "/identity/two-factor/secret", {});
  const key = fromBase32(secret);
  const codeOf = (step: number) => generateHOTP(key, BigInt(step), 6);
  await ask(page, "POST", "/identity/two-factor/verify", { code: codeOf(stepNow()) });
  type Enabled = { recovery_codes: string[] };
  const enabled = await ask<Enabled>(page, "POST", "/identity/two-factor/enable", {});
  return { recoveryCodes: enabled.recovery_codes, nextCode: () => codeOf(stepNow() + 1) };
}

function stepNow(): number {
  return Math.floor(Date.now() / STEP_MS);
}

/** Decodes RFC 4648 base 32, the format of authenticator secrets. */
function fromBase32(text: string): Uint8Array {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text.replace(/=+$/, "")]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
