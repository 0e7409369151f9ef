import type { AccountsDeps } from "./deps.ts";
import type { Names } from "./password.schema.ts";
import { replaceNames } from "./people.store.ts";

/** Changes the names of a person. */
export async function updateNames(
  deps: Pick<AccountsDeps, "control" | "clock">,
  { userId, name, familyName }: Names & { userId: string },
): Promise<void> {
  await replaceNames(deps.control, { userId, name, familyName, now: deps.clock.now() });
}
