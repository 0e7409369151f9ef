import { queryOptions } from "@tanstack/react-query";
import { type ApiError, callApi, type InputOf, type ResultOf } from "#app/api/call-api.ts";
import type { Catalogue } from "./catalogue-view.ts";

/** What the screens of money read, and under which keys. */

/** Trial and subscription of each platform. */
export type Statuses = ResultOf<"GET payments/get-platforms-trial-statuses">;
export type PlatformStatus = Statuses[string];
export type SubscriptionView = PlatformStatus["subscription"];
/** Company, card and credit, and what the card form needs. */
export type Account = ResultOf<"GET payments/stripe-get-account">;
export type Card = NonNullable<Account["paymentMethod"]>;
export type Preview = ResultOf<"POST payments/stripe-preview-price-update">;
export type PreviewInput = InputOf<"POST payments/stripe-preview-price-update">;
export type Coupon = ResultOf<"GET payments/stripe-get-promotion-code">;
export type PaymentRow = ResultOf<"GET payments/stripe-get-user-payments">[number];

export const statusesQuery = queryOptions<Statuses, ApiError>({
  queryKey: ["money", "statuses"],
  queryFn: async ({ signal }) =>
    (await callApi("GET payments/get-platforms-trial-statuses", {}, { signal, isQuiet: true })).result,
});

export const accountQuery = queryOptions<Account, ApiError>({
  queryKey: ["money", "account"],
  queryFn: async ({ signal }) =>
    (await callApi("GET payments/stripe-get-account", {}, { signal, isQuiet: true })).result,
});

export const catalogueQuery = queryOptions<Catalogue, ApiError>({
  queryKey: ["money", "catalogue"],
  queryFn: async ({ signal }) =>
    (await callApi("GET payments/stripe-get-prices/", {}, { signal, isQuiet: true })).result,
});

/** What one item of a purchase costs now and later (spec B-235). */
export const previewQuery = (input: PreviewInput) =>
  queryOptions<Preview, ApiError>({
    queryKey: ["money", "preview", input],
    queryFn: async ({ signal }) =>
      (await callApi("POST payments/stripe-preview-price-update", input, { signal, isQuiet: true })).result,
    // A screen that shows a choice again shows its last price; a payment sends the quote with it.
    gcTime: 60_000,
  });

/** Tax rate of a country, in percent (spec B-312). */
export const taxRateQuery = (country: string) =>
  queryOptions<number, ApiError>({
    queryKey: ["money", "tax-rate", country],
    queryFn: async ({ signal }) =>
      (await callApi("POST payments/stripe-get-tax-rate", { country }, { signal, isQuiet: true })).result
        .rate,
    enabled: country !== "",
  });

/** All payments, the newest first; only those of a platform if it is named (spec B-070). */
export const paymentsQuery = (platform: string | null) =>
  queryOptions<PaymentRow[], ApiError>({
    queryKey: ["money", "payments", platform],
    queryFn: async ({ signal }) =>
      (
        await callApi("GET payments/stripe-get-user-payments", platform === null ? {} : { platform }, {
          signal,
          isQuiet: true,
        })
      ).result,
  });

export type Invoice = ResultOf<"GET payments/stripe-subscription-latest-invoice/:id">;

/** The latest invoice of a subscription, by its id. */
export const latestInvoiceQuery = (id: string) =>
  queryOptions<Invoice, ApiError>({
    queryKey: ["money", "latest-invoice", id],
    queryFn: async ({ signal }) =>
      (
        await callApi(
          "GET payments/stripe-subscription-latest-invoice/:id",
          { id },
          { signal, isQuiet: true },
        )
      ).result,
  });

/**
 * "There is no card yet" is not an error of a price or of the first load, so no message is shown (spec B-267, B-268).
 */
export function isToldOf(error: ApiError | null): error is ApiError {
  return error !== null && error.code !== "err.payment.method.none" && error.message !== NO_CARD;
}

const NO_CARD = "No default payment method for this account";
