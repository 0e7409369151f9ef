import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { equalBytes, fromBase64Url, fromUtf8, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";

/** A shown price counts for a quarter of an hour. */
export const QUOTE_MS = 15 * MINUTE_MS;

/**
 * What was shown before a change: the subscription as it was, the choice, and the second for which it was calculated. The
 * change is ordered for the same second, so it costs what was shown (docs.stripe.com/billing/subscriptions/prorations).
 */
const quoteSchema = z.strictObject({
  organisationId: z.string(),
  platform: z.string(),
  /** The subscription and its item before; null for a new one. */
  from: z.strictObject({ id: z.string(), priceKey: z.string(), quantity: z.int() }).nullable(),
  priceKey: z.string(),
  quantity: z.int(),
  prorationAt: z.int(),
  dueCents: z.int(),
  expiresAt: z.int(),
});
export type Quote = z.output<typeof quoteSchema>;

type QuoteDeps = { settings: { AUTH_SECRET: string } };

/** Signs a quote. It goes through the browser, which may read it and cannot change it. */
export async function signQuote(deps: QuoteDeps, quote: Quote): Promise<string> {
  const body = toBase64Url(utf8(JSON.stringify(quote)));
  return `${body}.${toBase64Url(await markOf(deps, body))}`;
}

/** @throws AppError `err.payment.quote` for a quote that is not ours, or has expired by `now` */
export async function readQuote(deps: QuoteDeps, text: string, now: number): Promise<Quote> {
  try {
    const [body = "", mark = ""] = text.split(".");
    if (equalBytes(await markOf(deps, body), fromBase64Url(mark))) {
      const quote = quoteSchema.parse(JSON.parse(fromUtf8(fromBase64Url(body))));
      if (now < quote.expiresAt) return quote;
    }
  } catch (cause) {
    throw new AppError("err.payment.quote", { cause });
  }
  throw new AppError("err.payment.quote");
}

const markOf = (deps: QuoteDeps, body: string) =>
  hmacSha256(utf8(deps.settings.AUTH_SECRET), utf8(`quote\n${body}`));
