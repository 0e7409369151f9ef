import { and, eq } from "drizzle-orm";
import { giveLicensedRight } from "#core/billing/index.ts";
import { hostAccount, member } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Frame } from "./frame.schema.ts";

/** An account at a host's site. */
export type HostAccount = Pick<Frame, "platform" | "siteId" | "accountId">;

/** The person whom the account was linked to, if they are still a member of an organisation. */
export async function findLinkedPerson(
  control: ControlDatabase,
  { platform, siteId, accountId }: HostAccount,
): Promise<{ userId: string; organisationId: string } | null> {
  const row = await control
    .select({ userId: hostAccount.userId, organisationId: member.organisationId })
    .from(hostAccount)
    .innerJoin(member, eq(member.userId, hostAccount.userId))
    .where(
      and(
        eq(hostAccount.platform, platform),
        eq(hostAccount.siteId, siteId),
        eq(hostAccount.accountId, accountId),
      ),
    )
    .get();
  return row ?? null;
}

/**
 * Links the account to a person who has just signed in in its frame, and gives the site's licence to their organisation if it
 * is nobody's yet. Does nothing while the app is not installed at the site.
 */
export async function linkHostAccount(
  control: ControlDatabase,
  {
    account,
    ...person
  }: {
    account: HostAccount;
    userId: string;
    organisationId: string;
    /** The id of a new entitlement. */
    subscriptionId: string;
    now: number;
  },
): Promise<void> {
  const { platform, siteId, accountId } = account;
  await commitTogether(control, [
    statement(
      control,
      `INSERT INTO host_account (platform, site_id, account_id, user_id, linked_at)
       SELECT platform, site_id, ?3, ?4, ?5 FROM host_installation
       WHERE platform = ?1 AND site_id = ?2 AND status = 'active'
       ON CONFLICT (platform, site_id, account_id) DO UPDATE
       SET user_id = excluded.user_id, linked_at = excluded.linked_at WHERE user_id <> excluded.user_id`,
      platform,
      siteId,
      accountId,
      person.userId,
      person.now,
    ),
    statement(
      control,
      `UPDATE host_installation SET organisation_id = ?3
       WHERE platform = ?1 AND site_id = ?2 AND status = 'active' AND organisation_id IS NULL`,
      platform,
      siteId,
      person.organisationId,
    ),
    ...giveLicensedRight(control, { platform, siteId, now: person.now, id: person.subscriptionId }),
  ]);
}

/** Unlinks every account of a person, who must sign in again in each frame. */
export async function unlinkHostAccounts(control: ControlDatabase, userId: string): Promise<void> {
  await control.delete(hostAccount).where(eq(hostAccount.userId, userId));
}
