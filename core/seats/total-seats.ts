import type { ConnectionView } from "#core/connections/index.ts";

/** The people of all connected accounts of a platform. */
export type SeatTotal = {
  /** Null = not known: there is no account, or one of them was never counted. */
  count: number | null;
  /** Why a count is not of today; null = all of them are. */
  problem: string | null;
};

/**
 * Adds up the seats of a platform's accounts. A sum that lacks an account would be too small, so it is no sum. Accounts
 * that are not confirmed are nobody's yet.
 */
export function totalSeats(connections: readonly Pick<ConnectionView, "isConfirmed" | "seats">[]): SeatTotal {
  const counted = connections.filter(({ isConfirmed }) => isConfirmed).map(({ seats }) => seats);
  const counts = counted.map((seats) => seats?.count ?? null);
  const isKnown = counts.length > 0 && !counts.includes(null);
  return {
    count: isKnown ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) : null,
    problem: counted.find((seats) => seats?.problem)?.problem ?? null,
  };
}
