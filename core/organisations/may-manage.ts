import { entitlementsOf } from "#core/billing/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import type { Member } from "./member.ts";
import { canManage } from "./permissions.ts";

/**
 * True when the member may change things on the platform now: always for the owner, and for an admin of the platform
 * while its trial or subscription is active (spec/README P-294).
 */
export async function mayManage(
  deps: { control: ControlDatabase; clock: Clock; memory?: Memory },
  member: Pick<Member, "organisationId" | "role" | "platformRoles">,
  platform: PlatformId,
): Promise<boolean> {
  if (member.role === "owner") return true;
  if (!canManage(member, platform)) return false;
  return (await entitlementsOf(deps, member.organisationId, platform)).isActive;
}
