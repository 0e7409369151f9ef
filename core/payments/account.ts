import type { ProviderCard } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { Uses } from "#core/services.ts";
import { cardOf } from "./cards.ts";
import { asking } from "./commands.ts";
import { type CompanyView, companyOf } from "./company.ts";
import { readProjection } from "./projection.store.ts";

/** What is known of the customer, without asking the provider. */
export async function billingAccount(
  deps: Uses<"control">,
  organisationId: string,
): Promise<{ company: CompanyView | null; card: ProviderCard | null; creditCents: number }> {
  const { customer } = await readProjection(deps.control, organisationId);
  return {
    company: companyOf(customer),
    card: cardOf(customer),
    creditCents: customer?.balanceCents ?? 0,
  };
}

/**
 * The address of the provider's billing portal, which returns to the subscriptions (spec B-260). @throws AppError
 * `err.payment.customer` before the first purchase
 */
export async function openPortal(
  deps: Uses<"control" | "payments" | "settings">,
  member: Member,
): Promise<string> {
  const { customer } = await readProjection(deps.control, member.organisationId);
  if (!customer) throw new AppError("err.payment.customer");
  const back = `${deps.settings.PUBLIC_URL}/subscriptions`;
  return asking(() => deps.payments.openPortal(customer.stripeCustomerId, back));
}

/**
 * What a person's first data says about payments (spec ): the owner's company, and what was bought. Other
 * members learn nothing of it.
 */
export async function startAccount(
  deps: Uses<"control">,
  member: Member,
): Promise<{
  company: CompanyView | null;
  history: { platform: string; status: string; created: number; quantity: number }[];
}> {
  if (member.role !== "owner") return { company: null, history: [] };
  const { customer, rows } = await readProjection(deps.control, member.organisationId);
  return {
    company: companyOf(customer),
    history: rows
      .map(({ platform, status, created, quantity }) => ({ platform, status, created, quantity }))
      .sort((a, b) => b.created - a.created),
  };
}
