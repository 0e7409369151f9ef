import { listPlans } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canManage, type Member } from "#core/organisations/index.ts";
import type { RightServices } from "#core/services.ts";

/** What a member may do with the storage, by platform. */
export type StorageRights = {
  /** Platforms the member manages: all for the owner, their own for an admin (spec P-308). */
  managed: readonly string[];
  /** Managed platforms whose plan includes external storage: Pro or a running trial (spec P-304). */
  usable: readonly string[];
};

/**
 * Returns the member's storage rights. The owner and admins of any platform may see the storage (spec A-172).
 * @throws AppError `err.role.forbidden`
 */
export async function storageRights(s: RightServices, member: Member): Promise<StorageRights> {
  const managed = [...s.connectors.keys()].filter((platform) => canManage(member, platform));
  if (managed.length === 0) throw new AppError("err.role.forbidden");
  const plans = await listPlans(s, member.organisationId);
  return { managed, usable: managed.filter((platform) => plans.get(platform)?.hasProFeatures === true) };
}

/**
 * Checks that the member may connect a storage for the platform, or for any platform when it is null.
 * @throws AppError `err.platform.unknown`, `err.role.forbidden`, `err.plan.required`
 */
export async function requireStorageRight(
  s: RightServices,
  member: Member,
  platform: string | null,
): Promise<StorageRights> {
  if (platform !== null && !s.connectors.has(platform)) throw new AppError("err.platform.unknown");
  const rights = await storageRights(s, member);
  if (platform !== null && !rights.managed.includes(platform)) throw new AppError("err.role.forbidden");
  const isOnPlan = platform === null ? rights.usable.length > 0 : rights.usable.includes(platform);
  if (!isOnPlan) throw new AppError("err.plan.required");
  return rights;
}

/** True for members who manage every copied platform, because disconnecting ends all copies. */
export function mayDisconnect(
  member: Pick<Member, "role">,
  { managed }: StorageRights,
  storage: { platforms: readonly string[] },
): boolean {
  return member.role === "owner" || storage.platforms.every((platform) => managed.includes(platform));
}
