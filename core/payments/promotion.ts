import type { ProviderPromotion } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import { asking } from "./commands.ts";
import type { AskServices } from "./deps.ts";
import { countCode } from "./limits.ts";
import { readProjection } from "./projection.store.ts";

/**
 * A coupon code that the organisation may use now; null otherwise (spec B-241). A code for other customers, other
 * currencies or first purchases only is invalid where it does not apply.
 * @throws AppError `err.attempts.limit`
 */
export async function checkPromotion(
  deps: AskServices,
  member: Member,
  code: string,
): Promise<ProviderPromotion | null> {
  const uncount = await countCode(deps, member.organisationId);
  const found = await asking(() => deps.payments.findPromotion(code));
  if (!found) return null;
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  if (found.customerId !== null && found.customerId !== customer?.stripeCustomerId) return null;
  if (found.amountOffCents !== null && found.currency !== "usd") return null;
  const hasPaid = rows.some(({ status }) => status !== "incomplete" && status !== "incomplete_expired");
  if (found.isFirstTimeOnly && hasPaid) return null;
  // Each preview asks with the code, and a person moves the capacity more often than a code may be guessed.
  await uncount();
  return found;
}

/** The promotion for these purchases. @throws AppError `err.coupon.invalid` when it applies to none of them */
export async function requirePromotion(
  deps: AskServices,
  member: Member,
  code: string | null,
  items: readonly { platform: string; cents: number }[],
): Promise<ProviderPromotion | null> {
  if (code === null) return null;
  const found = await checkPromotion(deps, member, code);
  if (!found || !items.some((item) => appliesTo(found, item))) throw new AppError("err.coupon.invalid");
  return found;
}

/** Whether a promotion lowers the price of an item. */
export function appliesTo(
  { platforms, minimumCents }: ProviderPromotion,
  { platform, cents }: { platform: string; cents: number },
): boolean {
  return (platforms === null || platforms.includes(platform)) && cents >= (minimumCents ?? 0);
}

/**
 * The items that get the promotion. A percentage applies to each; an amount would be given once per subscription, so only
 * the dearest item gets it (docs.stripe.com/billing/subscriptions/coupons).
 */
export function discounted<T extends { platform: string; cents: number }>(
  promotion: ProviderPromotion | null,
  items: readonly T[],
): readonly T[] {
  if (!promotion) return [];
  const able = items.filter((item) => appliesTo(promotion, item));
  if (promotion.amountOffCents === null) return able;
  return [...able].sort((a, b) => b.cents - a.cents).slice(0, 1);
}
