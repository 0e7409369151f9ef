import { z } from "zod";
import type { Person } from "./demo-person.ts";

/**
 * Connects an account on the platform's consent page, as a browser would. Does nothing if an account is already
 * connected.
 *
 * @param paths API paths: the list of connected accounts, and the URL of the consent page.
 * @param choice.login who consents, where a field of the page's form says so
 * @param choice.more other fields of the page's form
 * @param choice.pages ids of the pages that are picked, where the consent page lets one pick
 * @param choice.decision what the button that accepts sends
 * @throws Error when the platform or the product refuses
 */
export async function connectAccount(
  person: Person,
  paths: { accounts: string; consent: string },
  {
    region,
    login,
    more = {},
    pages = [],
    decision = "authorize",
  }: {
    region: string;
    login?: string;
    more?: Record<string, string>;
    pages?: readonly string[];
    decision?: string;
  },
): Promise<void> {
  if ((await person.call("GET", paths.accounts, z.array(z.unknown()))).length > 0) return;
  const answer = z.object({ url: z.string() });
  const { url } = await person.call("GET", paths.consent, answer, { region });
  const target = new URL(url);
  const form = new URLSearchParams({
    ...Object.fromEntries(target.searchParams),
    ...(login === undefined ? {} : { login }),
    ...more,
    decision,
  });
  for (const id of pages) form.append("page", id);
  const arrived = await person.submit(`${target.origin}${target.pathname}`, form);
  const refusal = new URL(arrived.url).searchParams.get("error_message");
  if (refusal !== null) throw new Error(`Connecting was refused: ${refusal}`);
}
