import { entitlementsOf } from "#core/billing/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import { listConnectionStates } from "./invitation.store.ts";
import type { PlatformRoles } from "./role-strings.ts";

/**
 * Checks that rights may be granted: a platform needs the Pro plan or a running trial (spec part 1 section 4, "Plan
 * gating for access rights") and a working connection. Existing rights and reduced rights are not checked.
 * @throws AppError `err.role.plan`, `err.connection.missing`, `err.connection.unauthorized`
 */
export async function checkRights(
  deps: { control: ControlDatabase; clock: Clock },
  organisationId: string,
  { wanted, present }: { wanted: PlatformRoles; present: PlatformRoles },
): Promise<void> {
  const raised = Object.keys(wanted).filter((platform) => isRaised(wanted[platform], present[platform]));
  for (const platform of raised) {
    const [{ hasProFeatures }, states] = await Promise.all([
      entitlementsOf(deps, organisationId, platform),
      listConnectionStates(deps.control, { organisationId, platform }),
    ]);
    if (!hasProFeatures) throw new AppError("err.role.plan");
    if (states.length === 0) throw new AppError("err.connection.missing");
    if (!states.includes("active")) throw new AppError("err.connection.unauthorized");
  }
}

function isRaised(wanted: "admin" | "user" | undefined, present: "admin" | "user" | undefined): boolean {
  return wanted !== undefined && wanted !== present && present !== "admin";
}
