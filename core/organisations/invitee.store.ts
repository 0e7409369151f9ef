import { and, eq, type SQL, sql } from "drizzle-orm";
import {
  account,
  authorisation,
  invitation,
  member,
  organisation,
  passwordReset,
  recoveryCode,
  reportPreference,
  session,
  signInChallenge,
  twoFactor,
  user,
} from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { PlatformRoles } from "./role-strings.ts";

/** An invitee of the organisation (never its owner), by their sub or their invitation's id. */
type Target = { organisationId: string; id: string };

/** Returns the invitee. Null when the organisation has no such person or invitation. */
export async function findInvitee(
  control: ControlDatabase,
  target: Target,
): Promise<{ email: string; platformRoles: PlatformRoles } | null> {
  const [joined, invited] = await control.batch([
    control
      .select({ email: user.email, platformRoles: member.platformRoles })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(isMember(target)),
    control
      .select({ email: invitation.email, platformRoles: invitation.platformRoles })
      .from(invitation)
      .where(isInvitation(target)),
  ]);
  return joined[0] ?? invited[0] ?? null;
}

/** Statements that change an invitee's rights, joined or not, because they may join at this moment. */
export function updateRoles(control: ControlDatabase, target: Target, platformRoles: PlatformRoles) {
  return [
    control.update(member).set({ platformRoles }).where(isMember(target)),
    control.update(invitation).set({ platformRoles }).where(isInvitation(target)),
  ] as const;
}

/** SQL that is true while the target is a member or invited, evaluated at its position in a batch. */
export const inviteeStands = (target: Target): SQL =>
  sql`(exists (select 1 from ${member} where ${isMember(target)})
    or exists (select 1 from ${invitation} where ${isInvitation(target)}))`;

/**
 * Statements that delete an invitee and all their own data, children first. Sessions, credentials and preferences are
 * deleted only when the target is a member of this organisation other than its owner. The user row is deleted only when
 * the person has no membership and owns no organisation.
 */
export function deleteInvitee(control: ControlDatabase, target: Target) {
  const { id } = target;
  const ours = sql`exists (select 1 from ${member} where ${isMember(target)})`;
  const nowhere = sql`not exists (select 1 from ${member} where ${member.userId} = ${id})
    and not exists (select 1 from ${organisation} where ${organisation.ownerUserId} = ${id})`;
  return [
    control.delete(session).where(and(eq(session.userId, id), ours)),
    control.delete(account).where(and(eq(account.userId, id), ours)),
    control.delete(twoFactor).where(and(eq(twoFactor.userId, id), ours)),
    control.delete(recoveryCode).where(and(eq(recoveryCode.userId, id), ours)),
    control.delete(passwordReset).where(and(eq(passwordReset.userId, id), ours)),
    control.delete(signInChallenge).where(and(eq(signInChallenge.userId, id), ours)),
    control.delete(authorisation).where(and(eq(authorisation.userId, id), ours)),
    control.delete(reportPreference).where(and(eq(reportPreference.userId, id), ours)),
    control.delete(invitation).where(isInvitation(target)),
    control.delete(member).where(isMember(target)),
    control.delete(user).where(and(eq(user.id, id), nowhere)),
  ] as const;
}

function isMember({ organisationId, id }: Target): SQL | undefined {
  return and(eq(member.userId, id), eq(member.organisationId, organisationId), eq(member.role, "member"));
}

function isInvitation({ organisationId, id }: Target): SQL | undefined {
  return and(eq(invitation.id, id), eq(invitation.organisationId, organisationId));
}
