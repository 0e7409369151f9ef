import { z } from "zod";
import {
  type ProviderAddress,
  type ProviderTaxId,
  TAX_ID_STATES,
} from "#connectors/contract/payment-provider.ts";
import type { companySchema } from "#core/billing/company.schema.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import { afterChange, recordingFailure } from "./after.ts";
import { cardOf } from "./cards.ts";
import { asking, runCommand } from "./commands.ts";
import { ensureCustomer } from "./customer.ts";
import type { PaymentServices, WriteServices } from "./deps.ts";
import { type CustomerRow, readProjection } from "./projection.store.ts";
import { isLive } from "./projection.ts";
import { taxRatesOf } from "./tax.ts";

export type Company = z.output<typeof companySchema>;

/** The recipient of invoices, as the provider has it. */
export type CompanyView = {
  name: string | null;
  address: ProviderAddress;
  /** The oldest first; the last one is used (spec A-225). */
  taxIds: readonly ProviderTaxId[];
  /** The company owes the tax of its invoices itself; they say so. */
  isReverseCharge: boolean;
};

const text = z.string().nullable();
const addressSchema = z.object({
  country: text,
  state: text,
  city: text,
  line1: text,
  line2: text,
  postalCode: text,
});
const taxIdsSchema = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    value: z.string(),
    // Rows of an earlier release have none until the next sync.
    state: z.enum(TAX_ID_STATES).default("unavailable"),
  }),
);

/** The company in the projection; null before an address was saved. */
export function companyOf(customer: CustomerRow | null): CompanyView | null {
  if (customer?.addressJson == null) return null;
  return {
    name: customer.name,
    address: addressSchema.parse(JSON.parse(customer.addressJson)),
    taxIds: taxIdsSchema.parse(JSON.parse(customer.taxIdsJson ?? "[]")),
    isReverseCharge: customer.isReverseCharge,
  };
}

/**
 * Saves the recipient of invoices (spec part 3 sections 3 and 5). Outside the checkout a payment method comes first (spec
 * A tax id has no update: the new one is added before the old ones go, so there is never none. When the country
 * changes, the tax of every live subscription does. A reverse charge ends with the country or the tax id it was for.
 *
 * @throws AppError `err.payment.method.missing`, `err.company.tax`
 */
export async function saveCompany(
  deps: PaymentServices,
  member: Member,
  { name, tax_details, postal_code, ...company }: Company,
  { needsCard }: { needsCard: boolean },
): Promise<CompanyView> {
  const { organisationId } = member;
  const known = await readProjection(deps.control, organisationId);
  if (needsCard && cardOf(known.customer) === null) throw new AppError("err.payment.method.missing");
  const customer = await ensureCustomer(deps, member);
  const address: ProviderAddress = {
    country: company.country,
    state: company.state ?? null,
    city: company.city,
    line1: company.line1,
    line2: company.line2 ?? null,
    postalCode: postal_code,
  };
  const order = { name, address };
  const action = { action: "change-company", subject: name };
  await recordingFailure(deps, member, action, async () => {
    await runCommand(deps, { organisationId, kind: "company", params: order }, (key) =>
      deps.payments.saveAddress(customer.stripeCustomerId, order, key),
    );
    const isOtherCountry = company.country !== customer.country;
    // Before the tax id, which may be refused: the address counts already.
    if (isOtherCountry) {
      await endReverseCharge(deps, customer);
      await setTaxes(deps, organisationId, company.country);
    }
    const hasOtherTaxId = tax_details ? await replaceTaxId(deps, customer, tax_details) : false;
    if (hasOtherTaxId && !isOtherCountry) await endReverseCharge(deps, customer);
  });
  await afterChange(deps, member, action);
  const saved = companyOf((await readProjection(deps.control, organisationId)).customer);
  return saved ?? { ...order, taxIds: [], isReverseCharge: false };
}

/** Who owes the tax was decided for another company: until it is decided anew, tax is charged. */
async function endReverseCharge(
  deps: WriteServices,
  { organisationId, stripeCustomerId, isReverseCharge }: CustomerRow,
): Promise<void> {
  if (!isReverseCharge) return;
  await runCommand(deps, { organisationId, kind: "end-reverse-charge", params: {} }, (key) =>
    deps.payments.endReverseCharge(stripeCustomerId, key),
  );
}

/** Returns whether the tax id is another one now. Done again after a failure, it removes what the failure left. */
async function replaceTaxId(
  deps: WriteServices,
  { organisationId, stripeCustomerId }: CustomerRow,
  wanted: { type: string; value: string },
): Promise<boolean> {
  const { taxIds } = await asking(() => deps.payments.readCustomer(stripeCustomerId));
  const isSame = (each: { type: string; value: string }) =>
    each.type === wanted.type && each.value === wanted.value;
  const newest = taxIds.at(-1);
  const kept = newest && isSame(newest) ? newest : null;
  if (kept === null) await addTaxId(deps, { organisationId, stripeCustomerId }, wanted);
  // The same number in another form must go too, or an invoice would show both.
  for (const { id } of taxIds.filter(({ id, type }) => type === wanted.type && id !== kept?.id))
    await runCommand(deps, { organisationId, kind: "remove-tax-id", params: { taxId: id } }, () =>
      deps.payments.removeTaxId(stripeCustomerId, id),
    );
  return kept === null;
}

/** @throws AppError `err.company.tax` with the provider's words for an invalid one */
async function addTaxId(
  deps: WriteServices,
  { organisationId, stripeCustomerId }: Pick<CustomerRow, "organisationId" | "stripeCustomerId">,
  wanted: { type: string; value: string },
): Promise<void> {
  try {
    await runCommand(deps, { organisationId, kind: "tax-id", params: wanted }, (key) =>
      deps.payments.addTaxId(stripeCustomerId, wanted, key),
    );
  } catch (cause) {
    const isInvalid = cause instanceof AppError && cause.code === "err.payment.failed";
    throw isInvalid ? new AppError("err.company.tax", { message: cause.message, cause }) : cause;
  }
}

/** The tax of a country for every live subscription. */
async function setTaxes(deps: WriteServices, organisationId: string, country: string): Promise<void> {
  const { rows } = await readProjection(deps.control, organisationId);
  const live = rows.filter(isLive);
  if (live.length === 0) return;
  const rates = await asking(() => taxRatesOf(deps.payments, country));
  for (const { id } of live) {
    const params = { subscriptionId: id, rates };
    await runCommand(deps, { organisationId, kind: "taxes", params }, (key) =>
      deps.payments.setTaxRates(id, rates, key),
    );
  }
}

/** Removes a tax id. One of another customer is answered as missing. @throws AppError `err.not.found` */
export async function removeTaxId(
  deps: PaymentServices,
  member: Member,
  taxId: string,
): Promise<CompanyView | null> {
  const { organisationId } = member;
  const { customer } = await readProjection(deps.control, organisationId);
  if (!customer) throw new AppError("err.not.found");
  const action = { action: "change-company" };
  // The provider finds a tax id only below its own customer.
  const isGone = await recordingFailure(deps, member, action, () =>
    runCommand(deps, { organisationId, kind: "remove-tax-id", params: { taxId } }, () =>
      deps.payments.removeTaxId(customer.stripeCustomerId, taxId),
    ),
  );
  if (!isGone) throw new AppError("err.not.found");
  await endReverseCharge(deps, customer);
  await afterChange(deps, member, action);
  return companyOf((await readProjection(deps.control, organisationId)).customer);
}
