import type { AccountsDeps } from "./deps.ts";
import { saveAppsToProtect } from "./sign-up.store.ts";

/**
 * Stores the platforms that a person ticked at sign-up. Anyone may call it for any address, so it only fills an empty
 * field of a pending sign-up, and returns nothing.
 */
export async function keepAppsToProtect(
  deps: Pick<AccountsDeps, "control">,
  { email, appsToProtect }: { email: string; appsToProtect: string[] },
): Promise<void> {
  await saveAppsToProtect(deps.control, { email, apps: [...new Set(appsToProtect)] });
}
