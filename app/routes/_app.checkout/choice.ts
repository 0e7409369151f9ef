import type { PlatformStatus } from "#app/money/billing-queries.ts";
import {
  boughtQuantity,
  bracketOf,
  type Catalogue,
  costCents,
  type PaidPlan,
  type Period,
  type PriceView,
  priceOf,
} from "#app/money/catalogue-view.ts";
import { isEnded } from "#app/money/status-words.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { usedOf } from "#app/money/used-of.ts";

/** What is chosen for one platform. `quantity` is what was asked for; a whole bracket may be bought. */
export type Choice = {
  platform: string;
  plan: PaidPlan | "enterprise";
  period: Period;
  quantity: number;
};

/** The price of a choice; null when it is on request. */
export function priceOfChoice(catalogue: Catalogue, { platform, plan, period }: Choice): PriceView | null {
  return plan === "enterprise" ? null : priceOf(catalogue, { platform, plan, period });
}

/** A price of the platform, for its brackets, whichever plan is chosen. */
export function anyPrice(catalogue: Catalogue, platform: string): PriceView | null {
  return priceOf(catalogue, { platform, plan: "essential", period: "month" });
}

/** A year can be paid for at once. */
export const isAnnualSold = (catalogue: Catalogue, platform: string) =>
  priceOf(catalogue, { platform, plan: "essential", period: "year" }) !== null;

/** The subscription that a purchase would change; null when it would be a new one. */
export function boughtBefore(status: PlatformStatus | undefined) {
  const found = status?.subscription;
  return found?.type === "subscription" && !isEnded(found.status) ? found : null;
}

/**
 * What the checkout opens with: what is bought already, else the smallest plan that holds everything that is backed up
 * (spec B-298).
 */
export function firstChoice(
  catalogue: Catalogue,
  platform: string,
  status: PlatformStatus | undefined,
): Choice {
  const bought = boughtBefore(status);
  if (bought && (bought.plan === "essential" || bought.plan === "pro_plan"))
    return {
      platform,
      plan: bought.plan,
      period: bought.isAnnual ? "year" : "month",
      quantity: bought.quantity,
    };
  const price = anyPrice(catalogue, platform);
  const least = Math.max(price?.proposed ?? 1, price ? leastOf(price, status) : 1);
  return { platform, plan: "essential", period: "month", quantity: Math.max(least, neededOf(status)) };
}

/** What a plan must hold: items, or users as far as they are known. */
const neededOf = (status: PlatformStatus | undefined) => usedOf(status) ?? 0;

const isTrial = (status: PlatformStatus | undefined) =>
  status?.trialStatus === "active" && boughtBefore(status) === null;

/** The smallest quantity that may be entered; a trial has its own (spec B-224, B-225). */
const leastOf = ({ minimum, trialMinimum }: PriceView, status: PlatformStatus | undefined) =>
  Math.max(minimum, isTrial(status) ? trialMinimum : 0);

/** Above the largest quantity, or Enterprise: on request, without a price (spec B-186, B-187). */
export function isOnRequest(catalogue: Catalogue, choice: Choice): boolean {
  const most = anyPrice(catalogue, choice.platform)?.maximum ?? 0;
  return choice.plan === "enterprise" || choice.quantity > most;
}

/** Why Continue is off in step 1 (spec B-046 to B-050). */
export type Refusal =
  | { kind: "no-app" }
  | { kind: "on-request" }
  | { kind: "empty" }
  | { kind: "too-few"; least: number }
  | { kind: "active" }
  | { kind: "unpaid" };

/** Why a choice cannot be bought; null when it can. */
export function refusalOf(
  catalogue: Catalogue,
  choice: Choice | null,
  status: PlatformStatus | undefined,
): Refusal | null {
  if (choice === null) return { kind: "no-app" };
  if (isOnRequest(catalogue, choice)) return { kind: "on-request" };
  const price = priceOfChoice(catalogue, choice);
  if (choice.quantity < 1 || price === null || !bracketOf(price, choice.quantity)) return { kind: "empty" };
  const least = leastOf(price, status);
  if (choice.quantity < least) return { kind: "too-few", least };
  const quantity = boughtQuantity(price, choice.quantity);
  if (isTrial(status) && quantity < neededOf(status)) return { kind: "too-few", least: neededOf(status) };
  const bought = boughtBefore(status);
  if (bought?.status === "past_due" || bought?.status === "unpaid") return { kind: "unpaid" };
  return isSame(choice, quantity, status) ? { kind: "active" } : null;
}

/** The same plan, period and quantity run already. */
function isSame({ plan, period }: Choice, quantity: number, status: PlatformStatus | undefined): boolean {
  const bought = boughtBefore(status);
  return (
    bought?.status === "active" &&
    bought.plan === plan &&
    bought.isAnnual === (period === "year") &&
    bought.quantity === quantity
  );
}

/** What step 1 warns of: the same choice runs already, or it holds less than is backed up (spec B-226, B-227). */
export function warningOf(
  catalogue: Catalogue,
  choice: Choice,
  status: PlatformStatus | undefined,
): "active" | "fewer" | null {
  const price = priceOfChoice(catalogue, choice);
  if (isOnRequest(catalogue, choice) || price === null || choice.quantity < 1) return null;
  const quantity = boughtQuantity(price, choice.quantity);
  if (isSame(choice, quantity, status)) return "active";
  return quantity < neededOf(status) ? "fewer" : null;
}

/** How many items pause when the choice is bought, because it holds fewer (core/inventory, `fitPlan`). Users never pause. */
export function pausedBy(catalogue: Catalogue, choice: Choice, status: PlatformStatus | undefined): number {
  const price = priceOfChoice(catalogue, choice);
  const isBuyable = refusalOf(catalogue, choice, status) === null;
  if (!isBuyable || price === null || countsUsers(choice.platform)) return 0;
  return Math.max(0, (usedOf(status) ?? 0) - boughtQuantity(price, choice.quantity));
}

/** The price for a choice's period in cents; null when it has none. */
export function centsOfChoice(catalogue: Catalogue, choice: Choice): number | null {
  const price = priceOfChoice(catalogue, choice);
  return price ? costCents(price, choice.quantity) : null;
}
