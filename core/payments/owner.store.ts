import { eq, type SQL, sql } from "drizzle-orm";
import { billingCommand, billingCustomer, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { CUSTOMER, OWNER_EMAIL } from "./order.ts";

/** The address of the organisation's owner; null when there is no such organisation. */
export async function findOwnerEmail(
  control: ControlDatabase,
  organisationId: string,
): Promise<string | null> {
  const row = await control
    .select({ email: user.email })
    .from(organisation)
    .innerJoin(user, eq(user.id, organisation.ownerUserId))
    .where(eq(organisation.id, organisationId))
    .get();
  return row?.email ?? null;
}

/** True while the organisation's account is closed. */
export async function isAccountClosed(control: ControlDatabase, organisationId: string): Promise<boolean> {
  const row = await control
    .select({ closedAt: organisation.closedAt })
    .from(organisation)
    .where(eq(organisation.id, organisationId))
    .get();
  return row?.closedAt != null;
}

/** The statement that stores the command, if `when` holds and there is a customer, or soon will be. */
export function insertOwnerEmail(
  control: ControlDatabase,
  { id, organisationId, now }: { id: string; organisationId: string; now: number },
  when: SQL,
) {
  return control.insert(billingCommand).select(
    sql`select ${id}, ${organisationId}, null, ${OWNER_EMAIL}, '{}', 'open', null, ${now} where ${when}
      and (exists (select 1 from ${billingCustomer} where ${billingCustomer.organisationId} = ${organisationId})
        or exists (select 1 from ${billingCommand} where ${billingCommand.organisationId} = ${organisationId}
          and ${billingCommand.kind} = ${CUSTOMER}))`,
  );
}
