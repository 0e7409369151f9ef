import type { AccountsDeps } from "./deps.ts";
import { insertAppsToProtect } from "./people.store.ts";

/**
 * Keeps which platforms somebody ticked at sign-up. Anybody may call it for any address, so it only fills what is
 * empty while the address is unconfirmed, and tells nothing.
 */
export async function keepAppsToProtect(
  deps: Pick<AccountsDeps, "control">,
  { email, appsToProtect }: { email: string; appsToProtect: string[] },
): Promise<void> {
  await insertAppsToProtect(deps.control, { email, apps: [...new Set(appsToProtect)] });
}
