import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";
import { UNLIMITED_ITEMS } from "./plans.ts";

type Site = { platform: string; siteId: string; now: number };

/**
 * The statement that ends an entitlement which the licence stored at the site gave. Run it before another licence is stored:
 * it knows its own row by its end, so a trial or a plan that was bought from us stays.
 */
export function endLicensedRight(control: ControlDatabase, { platform, siteId, now }: Site) {
  return statement(
    control,
    `UPDATE subscription SET ends_at = ?3 WHERE platform = ?1 AND ends_at > ?3
     AND (organisation_id, ends_at) IN (
       SELECT organisation_id, plan_ends_at FROM host_installation WHERE platform = ?1 AND site_id = ?2)
     AND NOT EXISTS (${IS_BOUGHT})
     RETURNING id`,
    platform,
    siteId,
    now,
  );
}

/**
 * The statement that makes the licence stored at a site the entitlement of the site's organisation. Where the payment provider
 * has a subscription that is not over, that one alone decides, as a sync never touches the row of a licence. A licence that
 * is over gives nothing. It returns a row if something changed.
 */
export function giveLicensedRight(
  control: ControlDatabase,
  { platform, siteId, now, id }: Site & { id: string },
) {
  return statement(
    control,
    `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
     SELECT ?4, host.organisation_id, host.platform, host.plan, ?5, ?3, host.plan_ends_at
     FROM host_installation AS host
     WHERE host.platform = ?1 AND host.site_id = ?2 AND host.organisation_id IS NOT NULL AND host.plan_ends_at > ?3
     AND NOT EXISTS (SELECT 1 FROM stripe_subscription AS bought WHERE bought.organisation_id = host.organisation_id
       AND bought.platform = host.platform AND bought.status NOT IN ('canceled', 'incomplete_expired'))
     ON CONFLICT (organisation_id, platform) DO UPDATE
     SET plan = excluded.plan, quantity = excluded.quantity, ends_at = excluded.ends_at
     WHERE plan <> excluded.plan OR quantity <> excluded.quantity OR ends_at IS NOT excluded.ends_at
     RETURNING id`,
    platform,
    siteId,
    now,
    id,
    UNLIMITED_ITEMS,
  );
}

const IS_BOUGHT = `SELECT 1 FROM stripe_subscription AS bought WHERE bought.organisation_id = subscription.organisation_id
  AND bought.platform = subscription.platform AND bought.status NOT IN ('canceled', 'incomplete_expired')`;
