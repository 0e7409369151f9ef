import { z } from "zod";
import { companySchema } from "#core/billing/company.schema.ts";
import { requireOwner } from "#core/organisations/index.ts";
import {
  billingAccount,
  latestInvoice,
  listPayments,
  openPortal,
  removeTaxId,
  saveCompany,
} from "#core/payments/index.ts";
import { type MountedRoute, route } from "../../mount-route.ts";
import {
  cardAnswer,
  companyAnswer,
  invoiceAnswer,
  paymentRecord,
  platformField,
  subscriptionId,
  taxId,
} from "../../payment-answers.ts";
import { companyRow } from "./company-row.ts";
import { BILLING, tag } from "./words.ts";

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The customer: company, invoices, payments, portal (spec part 3 section 7). */
export const ACCOUNT: readonly MountedRoute[] = [
  route({
    method: "GET",
    path: "/payments/stripe-get-account",
    summary: "Company, card and credit of the customer, and what the card form needs",
    tag,
    input: z.strictObject({}),
    result: z.object({
      company: companyAnswer,
      paymentMethod: cardAnswer.nullable(),
      balance: z.int().describe("Credit in cents; a debt is negative"),
      publishableKey: z.string(),
      scriptUrl: z.string(),
    }),
    refuses: ["err.role.forbidden"],
    handle: async (s, m) => {
      requireOwner(m);
      const { company, card, creditCents } = await billingAccount(s, m.organisationId);
      return {
        result: {
          company: company && companyRow(company),
          paymentMethod: card && {
            id: card.id,
            card: {
              brand: card.brand,
              last_4: card.last4,
              exp_month: card.expMonth,
              exp_year: card.expYear,
            },
          },
          balance: creditCents,
          publishableKey: s.settings.STRIPE_PUBLISHABLE_KEY,
          scriptUrl: s.settings.STRIPE_JS_URL,
        },
      };
    },
  }),
  route({
    method: "PUT",
    path: "/payments/stripe-update-company",
    summary: "Change the billing address",
    tag,
    input: companySchema.extend({
      isCheckout: z
        .boolean()
        .default(false)
        .describe("Step 2 of the checkout, where no payment method exists yet"),
    }),
    result: companyAnswer,
    refuses: [...BILLING, "err.payment.method.missing", "err.company.tax"],
    handle: async (s, m, { isCheckout, ...company }) => {
      requireOwner(m);
      const saved = await saveCompany(s, m, company, { needsCard: !isCheckout });
      return { result: companyRow(saved) };
    },
  }),
  route({
    method: "DELETE",
    path: "/payments/stripe-delete-tax",
    summary: "Remove a tax detail",
    tag,
    input: z.strictObject({ tax_id: taxId }),
    result: companyAnswer,
    refuses: [...BILLING, "err.not.found"],
    handle: async (s, m, { tax_id }) => {
      requireOwner(m);
      const company = await removeTaxId(s, m, tax_id);
      return { result: company && companyRow(company) };
    },
  }),
  route({
    method: "GET",
    path: "/payments/stripe-get-user-payments",
    summary: "Payment history, the newest first",
    tag,
    input: z.strictObject({ platform: platformField.optional() }),
    result: z.array(paymentRecord),
    refuses: BILLING,
    handle: async (s, m, { platform }) => {
      requireOwner(m);
      const payments = await listPayments(s, m, platform ?? null);
      return { result: payments.map(({ createdAt, ...row }) => ({ ...row, created: seconds(createdAt) })) };
    },
  }),
  route({
    method: "GET",
    path: "/payments/stripe-subscription-latest-invoice/:id",
    summary: "Latest invoice of a subscription",
    tag,
    input: z.strictObject({ id: subscriptionId }),
    result: invoiceAnswer,
    refuses: [...BILLING, "err.not.found"],
    handle: async (s, m, { id }) => {
      requireOwner(m);
      const { invoice, platform, corrections } = await latestInvoice(s, m, id);
      return {
        result: {
          id: invoice.id,
          number: invoice.number,
          platform,
          status: invoice.state,
          currency: invoice.currency,
          total: invoice.totalCents,
          tax: invoice.taxCents,
          amount_due: invoice.dueCents,
          amount_paid: invoice.paidCents,
          created: seconds(invoice.createdAt),
          due_date: invoice.dueAt === null ? null : seconds(invoice.dueAt),
          hosted_invoice_url: invoice.hostedUrl,
          invoice_pdf: invoice.pdfUrl,
          lines: invoice.lines.map(({ text, cents }) => ({ description: text, amount: cents })),
          reverse_charge: invoice.isReverseCharge,
          corrections: corrections.map(({ kind, state, cents, createdAt, number, pdfUrl }) => ({
            ...{ kind, status: state, amount: cents, created: seconds(createdAt), number, pdf: pdfUrl },
          })),
        },
      };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-create-portal-session",
    summary: "Open the payment provider's billing portal",
    tag,
    input: z.strictObject({}),
    result: z.object({ url: z.string() }),
    refuses: [...BILLING, "err.payment.customer"],
    handle: async (s, m) => {
      requireOwner(m);
      return { result: { url: await openPortal(s, m) } };
    },
  }),
];
