import type { ConnectionView } from "#core/connections/views.ts";

/** The person behind an account, and the workspace that their consent opens; null = not named by the platform. */
export type AccountPerson = { username: string; email: string | null; workspace: string | null };

/** Letters of a username or an e-mail in the select (spec P-134). */
const SHOWN_LETTERS = 20;

/** The person of an account. The name of the account is their username; its row names the rest. */
export function personOf({ name, facts }: Pick<ConnectionView, "name" | "facts">): AccountPerson {
  const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  return { username: name, email: textOf(facts.email), workspace: textOf(facts.workspace_name) };
}

/** A username or e-mail, cut after 20 letters (spec P-134). */
export function shortened(text: string): string {
  const letters = [...text];
  return letters.length > SHOWN_LETTERS ? `${letters.slice(0, SHOWN_LETTERS).join("")}…` : text;
}
