import Stripe from "stripe";
import { z } from "zod";
import { PaymentError, type PaymentErrorKind } from "#connectors/contract/payment-provider.ts";

/** Runs a request and turns the SDK's errors into ours (docs.stripe.com/api/errors). */
export async function asking<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    throw toPaymentError(cause);
  }
}

/** Reads the part of an answer that we use. @throws PaymentError `malformed` */
export function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PaymentError(
    "malformed",
    `An answer has an unknown form: ${z.prettifyError(parsed.error).slice(0, 500)}`,
  );
}

function toPaymentError(cause: unknown): PaymentError {
  if (cause instanceof PaymentError) return cause;
  if (!(cause instanceof Stripe.errors.StripeError)) {
    return new PaymentError("unavailable", "The payment provider could not be asked.", { cause });
  }
  return new PaymentError(kindOf(cause), cause.message, { providerCode: cause.code ?? null, cause });
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): PaymentErrorKind {
  if (error instanceof Stripe.errors.StripeCardError) return "declined";
  if (error instanceof Stripe.errors.StripeIdempotencyError) return "conflict";
  if (error.statusCode === 409) return "conflict";
  if (error.code === "resource_missing" || error.statusCode === 404) return "missing";
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return "refused";
  return "unavailable";
}

/** Runs a request; null when the provider refuses it with one of these codes. */
export async function unless<T>(codes: readonly string[], request: () => Promise<T>): Promise<T | null> {
  try {
    return await asking(request);
  } catch (cause) {
    if (cause instanceof PaymentError && codes.includes(cause.providerCode ?? "")) return null;
    throw cause;
  }
}
