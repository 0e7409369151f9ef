import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { subscription } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { SubscriptionFacts } from "./entitlements.ts";
import type { PlanName } from "./plans.ts";

/**
 * The end of a right. While an account is closed, nothing of it has a right, whatever sold it: not its trials, and no
 * subscription or licence whose end has not arrived yet.
 */
const endsAt = sql<number | null>`coalesce((
  SELECT CASE WHEN subscription.ends_at < closed.closed_at THEN subscription.ends_at ELSE closed.closed_at END
  FROM organisation AS closed WHERE closed.id = subscription.organisation_id), subscription.ends_at)`.as(
  "ends_at",
);

/** The organisation's subscription of a platform; null when there is none. */
export async function findSubscription(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<SubscriptionFacts | null> {
  const row = await control
    .select({ plan: subscription.plan, quantity: subscription.quantity, endsAt })
    .from(subscription)
    .where(and(eq(subscription.organisationId, organisationId), eq(subscription.platform, platform)))
    .get();
  return row ?? null;
}

/** These organisations' plans and when they end: epoch ms, or null for never. Those without one are absent. */
export async function listSubscriptionEnds(
  control: ControlDatabase,
  organisationIds: readonly string[],
): Promise<{ organisationId: string; platform: string; plan: PlanName; endsAt: number | null }[]> {
  return control
    .select({
      organisationId: subscription.organisationId,
      platform: subscription.platform,
      plan: subscription.plan,
      endsAt,
    })
    .from(subscription)
    .where(
      sql`${subscription.organisationId} IN (SELECT value FROM json_each(${JSON.stringify(organisationIds)}))`,
    );
}

/** A subscription, and of which platform. */
export type SubscriptionRow = SubscriptionFacts & { platform: string };

/** Every subscription that the organisation has or had. */
export async function listSubscriptions(
  control: ControlDatabase,
  organisationId: string,
): Promise<SubscriptionRow[]> {
  return subscriptionsOf(control, organisationId);
}

/** The same as a statement of a batch. @param organisation - A subquery, or the id. */
export function subscriptionsOf(control: ControlDatabase, organisation: SQLWrapper | string) {
  return control
    .select({
      platform: subscription.platform,
      plan: subscription.plan,
      quantity: subscription.quantity,
      endsAt,
    })
    .from(subscription)
    .where(sql`${subscription.organisationId} = (${organisation})`);
}

type Alongside = Parameters<ControlDatabase["batch"]>[0][number];

/**
 * Inserts a subscription, unless the organisation ever had one for this platform.
 * @param record - The audit statement of the same batch; it gets the condition that this call inserted the row
 */
export async function insertSubscription(
  control: ControlDatabase,
  row: {
    id: string;
    organisationId: string;
    platform: string;
    plan: PlanName;
    quantity: number;
    startedAt: number;
    endsAt: number | null;
    trialEndsAt: number | null;
  },
  record?: (isInserted: SQL) => Alongside,
): Promise<void> {
  const inserting = control
    .insert(subscription)
    .values(row)
    .onConflictDoNothing({ target: [subscription.organisationId, subscription.platform] });
  const isInserted = sql`EXISTS (SELECT 1 FROM subscription WHERE id = ${row.id})`;
  await control.batch(record ? [inserting, record(isInserted)] : [inserting]);
}

/** Platforms whose items are not fitted to the quantity of their plan. */
export async function listUnfitted(
  control: ControlDatabase,
  limit: number,
): Promise<{ organisationId: string; platform: string }[]> {
  return control
    .select({ organisationId: subscription.organisationId, platform: subscription.platform })
    .from(subscription)
    .where(sql`fitted_quantity IS NOT quantity`)
    .limit(limit);
}

/** Records that the items are fitted to this quantity, if it is still the plan's. */
export async function markFitted(
  control: ControlDatabase,
  { organisationId, platform, quantity }: { organisationId: string; platform: string; quantity: number },
): Promise<void> {
  await control
    .update(subscription)
    .set({ fittedQuantity: quantity })
    .where(
      and(
        eq(subscription.organisationId, organisationId),
        eq(subscription.platform, platform),
        eq(subscription.quantity, quantity),
      ),
    );
}

/** Asks for the items to be fitted again, because there is room. */
export async function unfit(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<void> {
  await control
    .update(subscription)
    .set({ fittedQuantity: null })
    .where(and(eq(subscription.organisationId, organisationId), eq(subscription.platform, platform)));
}
