import type { Context } from "hono";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import { syncQuietly, takeEvent } from "#core/payments/index.ts";
import type { ApiEnv } from "../../api-env.ts";
import { readBytes } from "../../read-body.ts";

const log = logger("payments");
/** The largest event that is read. Events hold one object; only their id, type and customer are used. */
const MOST_BYTES = 512_000;

/**
 * POST /api/payments/stripe-webhook — events of the payment provider. The signature is made over the raw body, so it is
 * read as text and parsed only afterwards (docs.stripe.com/webhooks/signature). The answer goes out once the event is
 * recorded; the state is read from the provider after that, and again by the cron if that fails.
 */
export async function paymentWebhook(c: Context<ApiEnv>): Promise<Response> {
  const { services: s } = c.var;
  const signature = c.req.header("Stripe-Signature");
  if (signature === undefined) throw new AppError("err.request.invalid");
  const body = new TextDecoder().decode(await readBytes(c.req.raw, MOST_BYTES));
  const organisationId = await takeEvent(s, body, signature).catch((cause: unknown) => {
    if (!(cause instanceof PaymentError)) throw cause;
    log.warn("An event was refused: {reason}", { reason: cause.message });
    // Whose event it is could not be asked: the provider sends it again.
    const isFinal = cause.kind === "forged" || cause.kind === "malformed";
    throw new AppError(isFinal ? "err.request.invalid" : "err.payment.unavailable", { cause });
  });
  if (organisationId !== null) c.executionCtx.waitUntil(syncQuietly(s, organisationId));
  return c.json({ received: true });
}
