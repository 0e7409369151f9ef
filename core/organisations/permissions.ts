import type { PlatformId } from "#core/kernel/platform-id.ts";
import type { Member } from "./member.ts";

/**
 * Who may do what on a platform, as one table (spec part 2 section 6):
 *
 * | Who                        | sees the platform | adds, deletes, restores, downloads, backs up now |
 * |----------------------------|-------------------|--------------------------------------------------|
 * | owner                      | yes               | yes                                              |
 * | member, role admin there   | yes               | yes, while the platform's plan is active         |
 * | member, role user there    | yes               | no                                               |
 * | member without a role there| no                | no                                               |
 */
type Asker = Pick<Member, "role" | "platformRoles">;

/** True when the member may see the platform's items and history. */
export function canUse(member: Asker, platform: PlatformId): boolean {
  return member.role === "owner" || platformRole(member, platform) !== null;
}

/**
 * True when the member may change things on the platform. `entitlementsOf` decides whether the plan allows it
 * (spec/README P-294: an admin needs an active platform, Pro or on trial).
 */
export function canManage(member: Asker, platform: PlatformId): boolean {
  return member.role === "owner" || platformRole(member, platform) === "admin";
}

/** The member's rights as on the wire: `organization_{platform}_{user|admin}`. Empty for the owner. */
export function roleStrings(member: Asker): string[] {
  if (member.role === "owner") return [];
  return Object.keys(member.platformRoles)
    .sort()
    .map((platform) => `organization_${platform}_${platformRole(member, platform) ?? "user"}`);
}

/** Reads own properties only: a platform named `constructor` gives no right. */
function platformRole(member: Asker, platform: PlatformId): "admin" | "user" | null {
  return Object.hasOwn(member.platformRoles, platform) ? (member.platformRoles[platform] ?? null) : null;
}
