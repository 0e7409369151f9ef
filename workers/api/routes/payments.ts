import { z } from "zod";
import { type Api, mountRoute } from "../mount-route.ts";
import { ACCOUNT } from "./payments/account.ts";
import { CARDS } from "./payments/cards.ts";
import { catalogueAnswer, catalogueOf } from "./payments/catalogue.ts";
import { CHECKOUT } from "./payments/checkout.ts";
import { mountStatuses } from "./payments/statuses.ts";
import { SUBSCRIPTIONS } from "./payments/subscriptions.ts";
import { tag } from "./payments/words.ts";

/** Calls about money: prices, trials and subscriptions (spec part 3 section 7). */
export function mountPayments(api: Api, platforms: readonly string[]): void {
  mountPrices(api);
  mountStatuses(api, platforms);
  for (const mount of [...CHECKOUT, ...CARDS, ...SUBSCRIPTIONS, ...ACCOUNT]) mount(api);
}

function mountPrices(api: Api): void {
  mountRoute(api, {
    method: "GET",
    // The spec writes the path with a slash at its end.
    path: "/payments/stripe-get-prices/",
    summary: "Prices of every platform",
    tag,
    input: z.strictObject({}),
    result: catalogueAnswer,
    handle: async (s) => ({ result: catalogueOf(s.connectors.keys()) }),
  });
}
