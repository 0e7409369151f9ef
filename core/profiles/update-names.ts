import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import { updateUserNames } from "./profiles.store.ts";

/** Changes the person's own names, as `personNameSchema` gives them. */
export async function updateNames(
  deps: { control: ControlDatabase; clock: Clock },
  member: Pick<Member, "userId">,
  { name, familyName }: { name: string; familyName: string },
): Promise<void> {
  const now = deps.clock.now();
  await updateUserNames(deps.control, { userId: member.userId, name, familyName, now });
}
