import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";

/** A subscription per user that renews with another number of users than it has. */
export type Recalculation = {
  id: string;
  organisationId: string;
  platform: string;
  itemId: string;
  priceKey: string;
  /** What the next period costs for as it is. */
  quantity: number;
  /** What was paid for last. */
  boughtQuantity: number;
  /** Epoch ms. */
  periodEnd: number;
  /** The people whom the platform counted last, and what of them can be bought. */
  seats: number;
  target: number;
};

/** The smallest and largest quantity of a platform whose plan counts people. */
export type SeatRange = { platform: string; minimum: number; maximum: number };

/**
 * Active subscriptions of these platforms whose period ends in (`from`, `to`], and the people of all their accounts. A
 * sum that lacks an account is none, as in `totalSeats`. Cancelled ones do not renew, and one with a change that waits
 * for its payment follows when that is over.
 */
const RENEWING = `SELECT s.id, s.organisation_id, s.platform, s.item_id, s.price_key, s.quantity, s.bought_quantity,
    s.period_end, p.minimum, p.maximum,
    (SELECT CASE WHEN COUNT(*) = COUNT(c.seats) THEN SUM(c.seats) END FROM connection c
      WHERE c.organisation_id = s.organisation_id AND c.platform = s.platform AND c.is_confirmed = 1) AS seats
  FROM stripe_subscription s
  JOIN (SELECT value->>'platform' AS platform, value->>'minimum' AS minimum, value->>'maximum' AS maximum
    FROM json_each(?1)) p ON p.platform = s.platform
  WHERE s.status = 'active' AND s.period_end > ?2 AND s.period_end <= ?3
    AND s.cancel_at IS NULL AND s.pending_json IS NULL`;

const FIELDS = `t.id AS id, t.organisation_id AS organisationId, t.platform AS platform, t.item_id AS itemId,
  t.price_key AS priceKey, t.quantity AS quantity, t.bought_quantity AS boughtQuantity, t.period_end AS periodEnd,
  t.seats AS seats, MAX(t.minimum, MIN(t.maximum, t.seats)) AS target`;

/**
 * Those whose next period must be told another quantity, the first to renew first. One that failed since `failedSince`
 * waits.
 */
export async function listRecalculations(
  control: ControlDatabase,
  {
    ranges,
    from,
    to,
    failedSince,
    limit,
  }: { ranges: readonly SeatRange[]; from: number; to: number; failedSince: number; limit: number },
): Promise<Recalculation[]> {
  const { results } = await statement(
    control,
    `SELECT ${FIELDS} FROM (${RENEWING}) t
     WHERE t.seats IS NOT NULL AND target <> t.quantity AND NOT EXISTS (
       SELECT 1 FROM billing_command b
       WHERE b.state IN ('open', 'waiting', 'failed') AND b.created_at > ?4
         AND b.organisation_id = t.organisation_id AND b.platform = t.platform AND b.kind = 'recalculate')
     ORDER BY t.period_end LIMIT ?5`,
    JSON.stringify(ranges),
    from,
    to,
    failedSince,
    limit,
  ).all<Recalculation>();
  return results;
}

/** Those whose owners are told that the number of people is not what they paid for, with the owner's address. */
export async function listNoticedSeats(
  control: ControlDatabase,
  { ranges, from, to, after }: { ranges: readonly SeatRange[]; from: number; to: number; after: string },
): Promise<(Recalculation & { email: string; timeZone: string })[]> {
  const { results } = await statement(
    control,
    `SELECT ${FIELDS}, u.email AS email, o.time_zone AS timeZone FROM (${RENEWING}) t
     JOIN organisation o ON o.id = t.organisation_id AND o.closed_at IS NULL JOIN user u ON u.id = o.owner_user_id
     WHERE t.seats IS NOT NULL AND t.seats <> t.bought_quantity AND t.id > ?4
     ORDER BY t.id LIMIT 200`,
    JSON.stringify(ranges),
    from,
    to,
    after,
  ).all<Recalculation & { email: string; timeZone: string }>();
  return results;
}
