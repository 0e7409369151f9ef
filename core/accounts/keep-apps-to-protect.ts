import type { AccountsDeps } from "./deps.ts";
import { saveAppsToProtect } from "./sign-up.store.ts";

/**
 * Keeps which platforms somebody ticked at sign-up. Anybody may call it for any address, so it only fills what is
 * empty in a sign-up that waits, and tells nothing.
 */
export async function keepAppsToProtect(
  deps: Pick<AccountsDeps, "control">,
  { email, appsToProtect }: { email: string; appsToProtect: string[] },
): Promise<void> {
  await saveAppsToProtect(deps.control, { email, apps: [...new Set(appsToProtect)] });
}
