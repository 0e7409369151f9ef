import type { ProviderBudgets, Uses } from "#core/services.ts";
import { LEASED_POINTS, LEASES_OF_REST } from "./limits.ts";

type Limits = Parameters<ProviderBudgets["report"]>[1];
type Window = Parameters<ProviderBudgets["spend"]>[4];
type Lease = NonNullable<
  Extract<Awaited<ReturnType<ProviderBudgets["spend"]>>, { kind: "granted" }>["lease"]
>;

/** What a slice holds of one quota. */
type Held = {
  key: string;
  resource: string;
  window: Window;
  lease: Lease | null;
  /** Points of the lease that are not spent. */
  left: number;
  /** The newest figures of the platform that the budget has not been told. */
  untold: { limits: Limits; window: Parameters<ProviderBudgets["report"]>[3] } | null;
  /** Questions to the budget are asked in turn, so that calls at the same time share a lease. */
  turn: Promise<unknown>;
};

/** Budgets that a slice spends from in small leases. */
export type LeasedBudgets = Pick<ProviderBudgets, "spend" | "report"> & {
  /** Tells the budgets what the platform said last, and returns what was not spent. */
  settle: () => Promise<void>;
};

const NOTHING_TOLD = { remaining: null, resetAt: null, retryAt: null };

/**
 * Spends from the budgets of a platform in leases, so that a slice asks the budget's object once for many calls.
 *
 * The object counts leased points as spent, and ends a lease so soon that no window is exceeded. The figures of responses
 * are passed on with the next lease, or at once when what is held is much of what is left. A request of the platform to
 * pause is passed on at once and ends this slice's leases. Other slices notice it when theirs are spent or end.
 */
export function leaseBudgets(s: Uses<"clock" | "budgets">): LeasedBudgets {
  const all = new Map<string, Held>();
  const heldOf = (key: string, resource: string, window: Window): Held => {
    const name = JSON.stringify([key, resource, window?.share?.account ?? null]);
    const known = all.get(name);
    if (known) return known;
    const made = { key, resource, window, lease: null, left: 0, untold: null, turn: Promise.resolve() };
    all.set(name, made);
    return made;
  };
  const isLive = ({ lease }: Held) => lease !== null && s.clock.now() < lease.until;

  /** Tells the budget what it does not know yet. A lease that is returned late only counts for longer. */
  async function tell(held: Held): Promise<void> {
    const { key, resource, lease, left, untold, window } = held;
    Object.assign(held, { lease: null, left: 0, untold: null });
    if (!untold && left === 0) return;
    const back = lease && { ...lease, unspent: left, account: window?.share?.account ?? null };
    const limits = untold?.limits ?? { resource, ...NOTHING_TOLD };
    await s.budgets.report(key, limits, s.clock.now(), untold?.window ?? window, ...(back ? [back] : []));
  }

  async function ask(held: Held, points: number): ReturnType<ProviderBudgets["spend"]> {
    if (isLive(held) && held.left >= points) {
      held.left -= points;
      return { kind: "granted" };
    }
    await tell(held);
    const { key, resource, window } = held;
    const answer = await s.budgets.spend(key, resource, points, s.clock.now(), window, LEASED_POINTS);
    if (answer.kind === "granted" && answer.lease) {
      held.lease = answer.lease;
      held.left = answer.lease.points;
    }
    return answer;
  }

  return {
    spend: (key, resource, points, now, window) => {
      if (window?.isSpent) return s.budgets.spend(key, resource, points, now, window);
      const held = heldOf(key, resource, window);
      const answer = held.turn.then(() => ask(held, points));
      held.turn = answer.catch(() => {});
      return answer;
    },
    report: async (key, limits, now, window) => {
      const ofAccount = [...all.values()].filter((held) => held.key === key);
      if (limits.retryAt !== null)
        for (const { lease } of ofAccount) if (lease) lease.until = Number.NEGATIVE_INFINITY;
      const held = ofAccount.find((each) => each.resource === limits.resource && isLive(each));
      const isTight = held && limits.remaining !== null && limits.remaining < held.left * LEASES_OF_REST;
      if (held && !isTight) held.untold = { limits, window };
      else await s.budgets.report(key, limits, now, window);
    },
    settle: async () => {
      await Promise.all([...all.values()].map((held) => held.turn.then(() => tell(held))));
    },
  };
}
