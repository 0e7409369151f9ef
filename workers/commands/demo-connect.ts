import { z } from "zod";
import type { Person } from "./demo-person.ts";

/**
 * Goes through the platform's consent page, as a browser does, unless an account is connected already.
 *
 * @param paths Paths of the API that list the connected accounts, and that answer the consent page.
 * @throws Error when the platform or the product refuses
 */
export async function connectAccount(
  person: Person,
  paths: { accounts: string; consent: string },
  { region, login }: { region: string; login: string },
): Promise<void> {
  if ((await person.call("GET", paths.accounts, z.array(z.unknown()))).length > 0) return;
  const answer = z.object({ url: z.string() });
  const { url } = await person.call("GET", paths.consent, answer, { region });
  const target = new URL(url);
  const arrived = await person.submit(`${target.origin}${target.pathname}`, {
    ...Object.fromEntries(target.searchParams),
    login,
    decision: "authorize",
  });
  const refusal = new URL(arrived.url).searchParams.get("error_message");
  if (refusal !== null) throw new Error(`Connecting was refused: ${refusal}`);
}
