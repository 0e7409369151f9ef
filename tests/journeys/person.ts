import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { scryptPasswords } from "#core/accounts/passwords.ts";
import { waitForConfirmationLink } from "#workers/commands/demo-person.ts";
import { APP_URL, createPast, MAIL_URL } from "./stack.ts";

/** Meets every rule of the sign-up form. */
export const PASSWORD = "Nk4!tZr7^Wq2";

/** A person with an account. */
export type JourneyPerson = {
  email: string;
  /**
   * Calls the API, or the identity service by `identity/…`, with the browser's session. @throws Error with the response
   */
  call<Result>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    input?: object,
  ): Promise<Result>;
};

/** A unique e-mail address. */
export function freshEmail(): string {
  return `person-${randomUUID().slice(0, 8)}@journeys.example`;
}

let hashed: Promise<string> | undefined;

/** Creates a person and signs them in with the page's browser, without the forms and the e-mail. */
export async function createPerson(page: Page): Promise<JourneyPerson> {
  const person = personOf(page, freshEmail());
  const { email } = person;
  hashed ??= scryptPasswords().hash(PASSWORD);
  await createPast({ email, name: "Runa", familyName: "Holm", passwordHash: await hashed });
  await person.call("POST", "identity/sign-in", { email, password: PASSWORD });
  return person;
}

/** Confirms a person's address with the link in their inbox. */
export async function confirmAddress(person: JourneyPerson): Promise<void> {
  await person.call("POST", "email-verification", await waitForConfirmationLink(MAIL_URL, person.email));
}

/** The person who is signed in in the page's browser. */
export function personOf(page: Page, email: string): JourneyPerson {
  return {
    email,
    async call<Result>(method: string, path: string, input: object = {}) {
      const params = method === "GET" ? { params: input as Record<string, string> } : { data: input };
      const base = path.startsWith("identity/") ? APP_URL : `${APP_URL}/api`;
      const answer = await page.request.fetch(`${base}/${path}`, {
        method,
        headers: { Origin: APP_URL },
        ...params,
      });
      const body = (await answer.json()) as {
        status: string;
        message?: string;
        code?: string;
        result: Result;
      };
      if (body.status !== "success") throw new Error(`${path} refused: ${body.message} (${body.code})`);
      return body.result;
    },
  };
}
