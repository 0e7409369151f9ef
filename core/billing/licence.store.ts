import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";
import { UNLIMITED_ITEMS } from "./plans.ts";

type Site = { platform: string; siteId: string; now: number };

/** The payment provider has a subscription of the row's platform that is not over. It then decides alone. */
const isBought = (row: string) => `EXISTS (SELECT 1 FROM stripe_subscription AS bought
  WHERE bought.organisation_id = ${row}.organisation_id AND bought.platform = ${row}.platform
  AND bought.status NOT IN ('canceled', 'incomplete_expired'))`;

/** An evaluation ends; a licence that was bought renews itself. */
const END = "CASE host.plan WHEN 'trial' THEN host.plan_ends_at END";

/**
 * The statements that make the licence stored at a site the entitlement of the site's organisation. They change neither what
 * the payment provider sold, as a sync never touches a licence's row, nor a plan without an end that was agreed on with us.
 * The first one returns a row if something changed.
 */
export function giveLicensedRight(
  control: ControlDatabase,
  { platform, siteId, now, id }: Site & { id: string },
): [D1PreparedStatement, D1PreparedStatement] {
  return [
    statement(
      control,
      `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
       SELECT ?4, host.organisation_id, host.platform, host.plan, ?5, ?3, ${END} FROM host_installation AS host
       WHERE host.platform = ?1 AND host.site_id = ?2 AND host.organisation_id IS NOT NULL AND host.plan IS NOT NULL
       AND NOT ${isBought("host")}
       ON CONFLICT (organisation_id, platform) DO UPDATE
       SET plan = excluded.plan, quantity = excluded.quantity, ends_at = excluded.ends_at
       WHERE (plan <> excluded.plan OR quantity <> excluded.quantity OR ends_at IS NOT excluded.ends_at)
       AND (ends_at IS NOT NULL OR EXISTS (
         SELECT 1 FROM host_installation WHERE platform = ?1 AND site_id = ?2 AND is_given = 1))
       RETURNING id`,
      platform,
      siteId,
      now,
      id,
      UNLIMITED_ITEMS,
    ),
    statement(
      control,
      `UPDATE host_installation AS host SET is_given = 1
       WHERE host.platform = ?1 AND host.site_id = ?2 AND host.is_given = 0 AND EXISTS (
         SELECT 1 FROM subscription WHERE organisation_id = host.organisation_id AND platform = host.platform
         AND plan = host.plan AND quantity = ?3 AND ends_at IS ${END})
       AND NOT ${isBought("host")}`,
      platform,
      siteId,
      UNLIMITED_ITEMS,
    ),
  ];
}

/**
 * The statement that ends the entitlement which the licence stored at a site gave. Run it before that licence is replaced. With
 * `seenAt` it does so only if the site was not heard of since, and not before what was paid is used up. It returns a row if
 * something changed.
 */
export function endLicensedRight(
  control: ControlDatabase,
  { platform, siteId, now, seenAt = null }: Site & { seenAt?: number | null },
): D1PreparedStatement {
  const endsAt = "max(?3, CASE WHEN ?4 IS NULL THEN 0 ELSE coalesce(host.plan_ends_at, 0) END)";
  return statement(
    control,
    `UPDATE subscription SET ends_at = ${endsAt} FROM host_installation AS host
     WHERE host.platform = ?1 AND host.site_id = ?2 AND host.is_given = 1 AND (?4 IS NULL OR host.seen_at = ?4)
     AND subscription.organisation_id = host.organisation_id AND subscription.platform = host.platform
     AND (subscription.ends_at IS NULL OR subscription.ends_at > ${endsAt}) AND NOT ${isBought("subscription")}
     RETURNING id`,
    platform,
    siteId,
    now,
    seenAt,
  );
}
