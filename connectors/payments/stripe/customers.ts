import { z } from "zod";
import type {
  PaymentProvider,
  ProviderAddress,
  ProviderCard,
  ProviderCustomer,
} from "#connectors/contract/payment-provider.ts";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import type { StripeDeps } from "./client.ts";
import { asking, read, unless } from "./failures.ts";
import { cardForm, customerForm } from "./forms.ts";
import { ensurePortal } from "./portal.ts";
import { isReverseCharge } from "./read-subscription.ts";

type Customers = Pick<
  PaymentProvider,
  | "createCustomer"
  | "findCustomers"
  | "readCustomer"
  | "saveAddress"
  | "setEmail"
  | "endReverseCharge"
  | "addTaxId"
  | "removeTaxId"
  | "attachCard"
  | "ownerOfCard"
  | "createCardSetup"
  | "openPortal"
>;

const created = z.looseObject({ id: z.string() });

/** Customers, their addresses, tax ids and cards (docs.stripe.com/api/customers). */
export function customersOf({ stripe }: StripeDeps): Customers {
  return {
    createCustomer: async ({ organisationId, name, email }, idempotencyKey) => {
      const answer = await asking(() =>
        stripe.customers.create(
          { name, email, metadata: { organisation_id: organisationId } },
          { idempotencyKey },
        ),
      );
      return read(created, answer).id;
    },
    findCustomers: async ({ organisationId, email }) => {
      // The list is complete at once; a search by metadata lags behind (docs.stripe.com/search#data-freshness).
      const answer = await asking(() => stripe.customers.list({ email, limit: 100 }));
      const { data } = read(z.looseObject({ data: z.array(customerForm) }), answer);
      return data
        .flatMap((each) =>
          each.deleted !== true && each.metadata.organisation_id === organisationId ? [each] : [],
        )
        .sort((a, b) => a.created - b.created)
        .map(({ id }) => id);
    },
    readCustomer: async (customerId) => {
      const expand = ["invoice_settings.default_payment_method", "tax_ids"];
      return toCustomer(
        read(customerForm, await asking(() => stripe.customers.retrieve(customerId, { expand }))),
      );
    },
    saveAddress: async (customerId, { name, address }, idempotencyKey) => {
      await asking(() =>
        stripe.customers.update(customerId, { name, address: onWire(address) }, { idempotencyKey }),
      );
    },
    setEmail: async (customerId, email, idempotencyKey) => {
      await asking(() => stripe.customers.update(customerId, { email }, { idempotencyKey }));
    },
    endReverseCharge: async (customerId, idempotencyKey) => {
      await asking(() => stripe.customers.update(customerId, { tax_exempt: "none" }, { idempotencyKey }));
    },
    addTaxId: async (customerId, { type, value }, idempotencyKey) => {
      const answer = await asking(() =>
        stripe.customers.createTaxId(customerId, { type: type as "eu_vat", value }, { idempotencyKey }),
      );
      return read(created, answer).id;
    },
    removeTaxId: async (customerId, taxId) =>
      (await unless(["resource_missing"], () => stripe.customers.deleteTaxId(customerId, taxId))) !== null,
    attachCard: async (customerId, cardId, key) => {
      await asking(() =>
        stripe.paymentMethods.attach(cardId, { customer: customerId }, { idempotencyKey: `${key}:attach` }),
      );
      // The customer's default pays every subscription; a subscription's own one would beat it (cashier-stripe#1650).
      await asking(() =>
        stripe.customers.update(
          customerId,
          { invoice_settings: { default_payment_method: cardId } },
          { idempotencyKey: `${key}:default` },
        ),
      );
    },
    ownerOfCard: async (cardId) =>
      read(cardForm, await asking(() => stripe.paymentMethods.retrieve(cardId))).customer,
    createCardSetup: async (customerId, idempotencyKey) => {
      const answer = await asking(() =>
        stripe.setupIntents.create(
          { customer: customerId, usage: "off_session", allowed_payment_method_types: ["card"] },
          { idempotencyKey },
        ),
      );
      return { clientSecret: read(z.looseObject({ client_secret: z.string() }), answer).client_secret };
    },
    openPortal: async (customerId, returnUrl) => {
      const configuration = await ensurePortal({ stripe });
      const answer = await asking(() =>
        stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
          configuration,
        }),
      );
      return read(z.looseObject({ url: z.url() }), answer).url;
    },
  };
}

function onWire({ postalCode, ...address }: ProviderAddress) {
  const entries = Object.entries({ ...address, postal_code: postalCode });
  // An empty text clears what was there.
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? ""]));
}

function toCustomer(form: z.output<typeof customerForm>): ProviderCustomer {
  if (form.deleted === true) {
    return {
      id: form.id,
      isDeleted: true,
      name: null,
      address: null,
      creditCents: 0,
      card: null,
      taxIds: [],
      isReverseCharge: false,
    };
  }
  const { address } = form;
  return {
    id: form.id,
    isDeleted: false,
    name: form.name,
    address: address
      ? {
          country: address.country || null,
          state: address.state || null,
          city: address.city || null,
          line1: address.line1 || null,
          line2: address.line2 || null,
          postalCode: address.postal_code || null,
        }
      : null,
    // A negative balance is a credit (docs.stripe.com/billing/customer/balance).
    creditCents: form.balance === 0 ? 0 : -form.balance,
    card: toCard(form.invoice_settings.default_payment_method ?? null),
    // The provider lists the newest first, and two of one second keep that order (docs.stripe.com/api/pagination).
    taxIds: (form.tax_ids?.data ?? [])
      .toReversed()
      .sort((a, b) => a.created - b.created)
      .map(({ id, type, value, verification: state }) => ({ id, type, value, state })),
    isReverseCharge: isReverseCharge(form.tax_exempt),
  };
}

function toCard(form: z.output<typeof cardForm> | null): ProviderCard | null {
  if (!form) return null;
  if (!form.card) throw new PaymentError("malformed", "The default payment method is not a card.");
  const { brand, last4, exp_month, exp_year } = form.card;
  return { id: form.id, brand, last4, expMonth: exp_month, expYear: exp_year };
}
