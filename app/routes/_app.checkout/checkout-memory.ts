import * as z from "zod/mini";
import type { Coupon } from "#app/money/billing-queries.ts";
import type { Choice } from "./choice.ts";

/** A coupon that the server has found valid. */
export type AppliedCoupon = { code: string } & Pick<Coupon, "amountOff" | "percentOff" | "platforms">;

/** What a checkout remembers while the tab is open, so that a reload or the back button loses nothing. */
export type Memory = {
  /** The platform that step 1 shows; null = none chosen. */
  current: string | null;
  /** Other platforms in the same purchase, in the order in which they were added. */
  others: string[];
  choices: Record<string, Choice>;
  coupon: AppliedCoupon | null;
  /** The last step that may be opened: 1, 2 or 3. */
  reached: number;
};

export const NO_MEMORY: Memory = { current: null, others: [], choices: {}, coupon: null, reached: 1 };

const choice = z.object({
  platform: z.string(),
  plan: z.enum(["essential", "pro_plan", "enterprise"]),
  period: z.enum(["month", "year"]),
  quantity: z.int().check(z.nonnegative()),
});

const memory = z.object({
  current: z.nullable(z.string()),
  others: z.array(z.string()),
  choices: z.record(z.string(), choice),
  coupon: z.nullable(
    z.object({
      code: z.string(),
      amountOff: z.nullable(z.number()),
      percentOff: z.nullable(z.number()),
      platforms: z.nullable(z.array(z.string())),
    }),
  ),
  reached: z.int().check(z.minimum(1), z.maximum(3)),
});

const KEY = "checkout";

/** The checkout of this tab. Nothing when there is none, or when it cannot be read. */
export function readMemory(store: Storage, sold: (platform: string) => boolean): Memory {
  try {
    const { success, data } = memory.safeParse(JSON.parse(store.getItem(KEY) ?? "null"));
    if (!success) return NO_MEMORY;
    const isKnown = (platform: string) => sold(platform) && data.choices[platform] !== undefined;
    const current = data.current !== null && isKnown(data.current) ? data.current : null;
    return { ...data, current, others: data.others.filter((each) => isKnown(each) && each !== current) };
  } catch {
    return NO_MEMORY;
  }
}

/** Keeps the checkout for this tab. */
export function writeMemory(store: Storage, kept: Memory): void {
  store.setItem(KEY, JSON.stringify(kept));
}

/** Forgets the checkout: it is paid. */
export function forgetCheckout(store: Storage): void {
  store.removeItem(KEY);
}
