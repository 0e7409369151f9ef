import { prepareOrganisation } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { type Becoming, insertPersonOf } from "./sign-up.store.ts";

/**
 * Makes the person of a sign-up, with password and nameless organisation, in one batch. False when nothing was made: the
 * sign-up is gone or over, or somebody has the address by now.
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
