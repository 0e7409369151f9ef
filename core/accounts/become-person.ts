import { prepareOrganisation } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { type Becoming, insertPersonOf } from "./sign-up.store.ts";

/**
 * Turns a sign-up into a person with a password and an unnamed organisation, in one batch. Returns false when nothing
 * was created: the sign-up is gone or expired, or the e-mail address now has an account.
 */
export async function becomePerson(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  {
    id,
    chosen = null,
    isAutoConfirmed = false,
  }: { id: string; chosen?: Becoming["chosen"]; isAutoConfirmed?: boolean },
): Promise<boolean> {
  const order = { id, chosen, isAutoConfirmed, now: deps.clock.now() };
  const { person, end } = insertPersonOf(deps.control, order);
  const organisation = await prepareOrganisation(deps, { userId: id });
  const [, , , , ended] = await deps.control.batch([...person, ...organisation, end]);
  return ended.length === 1;
}
