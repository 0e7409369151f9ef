import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { APP_URL } from "./stack.ts";

/** Satisfies every rule of the sign-up form. */
export const PASSWORD = "Harbour7!Anchor^Rope";

/** Someone with an account. */
export type JourneyPerson = {
  email: string;
  /** Calls the API with the browser's session and answers the result. @throws Error with the refusal */
  call<Result>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, input?: object): Promise<Result>;
};

/** An address that nobody else has. */
export function freshEmail(): string {
  return `person-${randomUUID().slice(0, 8)}@journeys.example`;
}

/** Signs a new person up the short way, past the form, in the page's browser. */
export async function createPerson(page: Page): Promise<JourneyPerson> {
  const person = personOf(page, freshEmail());
  await person.call("POST", "auth/sign-up", { name: "Runa Holm", email: person.email, password: PASSWORD });
  return person;
}

/** The person who is signed in in a page's browser. */
export function personOf(page: Page, email: string): JourneyPerson {
  return {
    email,
    async call<Result>(method: string, path: string, input: object = {}) {
      const params = method === "GET" ? { params: input as Record<string, string> } : { data: input };
      const answer = await page.request.fetch(`${APP_URL}/api/${path}`, {
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
