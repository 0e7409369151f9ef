import { listPlans } from "#core/billing/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import { type Member, roleStrings } from "#core/organisations/index.ts";
import { photoUrl } from "./photo-url.ts";
import { findProfile } from "./profiles.store.ts";

/** What every screen needs to know about a person first (spec part 1 section 3, User). */
export type StartInfo = {
  userId: string;
  email: string;
  name: string;
  familyName: string;
  /** URL of the photo. */
  picture: string | null;
  /** The time stated at sign-up, otherwise the time the account was created (ISO 8601). */
  createdAt: string;
  isAutoConfirmed: boolean;
  isTest: boolean;
  /** True when any platform is on the Pro plan or on a running trial (spec B-171). */
  isHasProPlan: boolean;
  /** True when any platform ever had a trial or a subscription. */
  hadEverAnySubscriptions: boolean;
  organisationName: string | null;
  accountType: "User" | "Organization";
  isSubUser: boolean;
  roles: string[];
  roleByApp: Readonly<Record<string, "admin" | "user">>;
  /** False when the person switched reports off. */
  isSubscribedToMail: boolean;
  isTwoFactorEnabled: boolean;
};

/**
 * Returns the data that every screen loads first. @throws AppError `err.not.found` when the person was removed
 * meanwhile
 */
export async function getStartInfo(
  deps: { control: ControlDatabase; clock: Clock; settings: { PUBLIC_URL: string } },
  member: Member,
): Promise<StartInfo> {
  const [found, plans] = await Promise.all([
    findProfile(deps.control, member),
    listPlans(deps, member.organisationId),
  ]);
  if (!found) throw new AppError("err.not.found");
  return {
    userId: found.userId,
    email: found.email,
    name: found.name,
    familyName: found.familyName,
    picture: found.image === null ? null : photoUrl(deps.settings, found.image),
    createdAt: found.statedCreatedAt ?? found.createdAt.toISOString(),
    isAutoConfirmed: found.isAutoConfirmed,
    isTest: found.isTest,
    isHasProPlan: [...plans.values()].some(({ hasProFeatures }) => hasProFeatures),
    hadEverAnySubscriptions: plans.size > 0,
    organisationName: found.organisationName === "" ? null : found.organisationName,
    accountType: found.accountType,
    isSubUser: found.role !== "owner",
    roles: roleStrings(found),
    roleByApp: found.role === "owner" ? {} : found.platformRoles,
    isSubscribedToMail: found.isSubscribedToMail ?? true,
    isTwoFactorEnabled: found.twoFactorEnabledAt !== null,
  };
}
