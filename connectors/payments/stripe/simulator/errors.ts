import type { CardError } from "./cards.ts";
import type { Kind } from "./state.ts";

/** The body of a refusal below `error` (docs.stripe.com/api/errors). */
export type FaultBody = {
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: unknown;
  setup_intent?: unknown;
  payment_method?: unknown;
};

/** A refusal of the API. `isValidation` = before the call did anything, so that no idempotency key saves it. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: FaultBody;
  readonly isValidation: boolean;

  constructor(status: number, body: FaultBody, isValidation = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.isValidation = isValidation;
  }
}

/** A request that Stripe refuses because of its parameters or of the object's state. */
export function refused(message: string, more: { code?: string; param?: string } = {}): StripeFault {
  return new StripeFault(400, { type: "invalid_request_error", message, ...more });
}

const WORDS: Partial<Record<Kind, string>> = {
  payment_method: "PaymentMethod",
  "test_helpers.test_clock": "testclock",
  "billing_portal.configuration": "configuration",
  setup_intent: "setupintent",
  tax_rate: "tax rate",
  promotion_code: "promotion code",
};

/** `resource_missing`: 404. */
export function missing(kind: Kind, id: string, param: string): StripeFault {
  const what = WORDS[kind] ?? kind;
  return new StripeFault(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${what}: '${id}'`,
    param,
  });
}

/** A refusal of the card: 402, with the objects that show it. */
export function declined(error: CardError, shown: Record<string, unknown>): StripeFault {
  return new StripeFault(402, { ...error, ...shown });
}

/** A payment that only the card's holder can complete, of a call that may leave nothing incomplete: 402. */
export function actionRequired(): StripeFault {
  return new StripeFault(402, {
    type: "card_error",
    code: "subscription_payment_intent_requires_action",
    message:
      "Payment for this subscription requires additional user action before it can be completed successfully.",
  });
}
