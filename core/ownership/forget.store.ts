import { eq } from "drizzle-orm";
import { member } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** The ids of everybody in an organisation. */
export async function listPeopleOf(control: ControlDatabase, organisationId: string): Promise<string[]> {
  const rows = await control
    .select({ id: member.userId })
    .from(member)
    .where(eq(member.organisationId, organisationId));
  return rows.map(({ id }) => id);
}

/** Tables with rows of a person, children first. */
const OF_PEOPLE = [
  "session",
  "account",
  "two_factor",
  "recovery_code",
  "password_reset",
  "sign_in_challenge",
  "authorisation",
  "report_preference",
  "host_account",
];
/** Tables with rows of an organisation, children first. The payment provider keeps the invoices. */
const OF_ORGANISATION = [
  "invitation",
  "chosen_region",
  "account_code",
  "credential",
  "held_person",
  "storage_authorisation",
  "billing_command",
  "billing_correction",
  "stripe_subscription",
  "billing_customer",
  "subscription",
  "mail_outbox",
  "member",
];

/**
 * Deletes an organisation with everybody in it, and records that it is gone: all or nothing. Removals of single platforms stay
 * as records, like this one; they name nobody. Done again, it changes nothing.
 */
export async function forgetAccount(
  control: ControlDatabase,
  {
    id,
    organisationId,
    people,
    now,
  }: { id: string; organisationId: string; people: readonly string[]; now: number },
): Promise<void> {
  const ids = JSON.stringify(people);
  const theirs = "IN (SELECT value FROM json_each(?1))";
  await commitTogether(control, [
    statement(
      control,
      `UPDATE closure SET state = 'removed', finished_at = ?3, stripe_customer_id =
         (SELECT stripe_customer_id FROM billing_customer WHERE organisation_id = ?2)
       WHERE id = ?1 AND organisation_id = ?2 AND state = 'removing'`,
      id,
      organisationId,
      now,
    ),
    ...OF_PEOPLE.map((table) => statement(control, `DELETE FROM ${table} WHERE user_id ${theirs}`, ids)),
    statement(
      control,
      "UPDATE host_installation SET organisation_id = NULL, is_given = 0 WHERE organisation_id = ?1",
      organisationId,
    ),
    ...OF_ORGANISATION.map((table) =>
      statement(control, `DELETE FROM ${table} WHERE organisation_id = ?1`, organisationId),
    ),
    statement(control, "DELETE FROM organisation WHERE id = ?1", organisationId),
    statement(control, `DELETE FROM user WHERE id ${theirs}`, ids),
  ]);
}
