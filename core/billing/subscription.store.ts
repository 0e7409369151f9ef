import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { subscription } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { SubscriptionFacts } from "./entitlements.ts";
import type { PlanName } from "./plans.ts";

/** The organisation's subscription of a platform; null when there is none. */
export async function findSubscription(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<SubscriptionFacts | null> {
  const row = await control
    .select({ plan: subscription.plan, quantity: subscription.quantity, endsAt: subscription.endsAt })
    .from(subscription)
    .where(and(eq(subscription.organisationId, organisationId), eq(subscription.platform, platform)))
    .get();
  return row ?? null;
}

/** When these organisations' subscriptions end: epoch ms, or null for never. Those without one are absent. */
export async function listSubscriptionEnds(
  control: ControlDatabase,
  organisationIds: readonly string[],
): Promise<{ organisationId: string; platform: string; endsAt: number | null }[]> {
  return control
    .select({
      organisationId: subscription.organisationId,
      platform: subscription.platform,
      endsAt: subscription.endsAt,
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
      endsAt: subscription.endsAt,
    })
    .from(subscription)
    .where(sql`${subscription.organisationId} = (${organisation})`);
}

/** Inserts a subscription, unless the organisation ever had one for this platform. */
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
): Promise<void> {
  await control
    .insert(subscription)
    .values(row)
    .onConflictDoNothing({ target: [subscription.organisationId, subscription.platform] });
}
