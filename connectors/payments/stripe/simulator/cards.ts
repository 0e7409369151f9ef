/** An error as it stands in `last_payment_error` and in the answer of a declined call. */
export type CardError = {
  type: "card_error";
  code: string;
  decline_code?: string;
  message: string;
  charge?: string;
};

/** What a charge of a card meets. */
export type CardBehaviour =
  | "ok"
  | "challenge-until-set-up"
  | "challenge-always"
  | "challenge-then-insufficient"
  | "declined"
  | "declined-after-attaching"
  | "insufficient"
  | "expired"
  | "wrong-cvc"
  | "lost"
  | "stolen"
  | "processing-error";

type TestCard = { number: string; brand: string; behaviour: CardBehaviour; tokens: readonly string[] };

/** Test cards and the payment methods and tokens that stand for them (docs.stripe.com/testing). */
const CARDS: readonly TestCard[] = [
  { number: "4242424242424242", brand: "visa", behaviour: "ok", tokens: ["visa"] },
  { number: "5555555555554444", brand: "mastercard", behaviour: "ok", tokens: ["mastercard"] },
  { number: "378282246310005", brand: "amex", behaviour: "ok", tokens: ["amex"] },
  { number: "6011111111111117", brand: "discover", behaviour: "ok", tokens: ["discover"] },
  { number: "3056930009020004", brand: "diners", behaviour: "ok", tokens: ["diners"] },
  { number: "3566002020360505", brand: "jcb", behaviour: "ok", tokens: ["jcb"] },
  { number: "6200000000000005", brand: "unionpay", behaviour: "ok", tokens: ["unionpay"] },
  {
    number: "4000002500003155",
    brand: "visa",
    behaviour: "challenge-until-set-up",
    tokens: ["authenticationRequiredOnSetup"],
  },
  {
    number: "4000002760003184",
    brand: "visa",
    behaviour: "challenge-always",
    tokens: ["authenticationRequired"],
  },
  {
    number: "4000008260003178",
    brand: "visa",
    behaviour: "challenge-then-insufficient",
    tokens: ["authenticationRequiredChargeDeclinedInsufficientFunds"],
  },
  {
    number: "4000000000000002",
    brand: "visa",
    behaviour: "declined",
    tokens: ["chargeDeclined", "visa_chargeDeclined"],
  },
  {
    number: "4000000000009995",
    brand: "visa",
    behaviour: "insufficient",
    tokens: ["chargeDeclinedInsufficientFunds", "visa_chargeDeclinedInsufficientFunds"],
  },
  {
    number: "4000000000000341",
    brand: "visa",
    behaviour: "declined-after-attaching",
    tokens: ["chargeCustomerFail"],
  },
  {
    number: "4000000000000069",
    brand: "visa",
    behaviour: "expired",
    tokens: ["chargeDeclinedExpiredCard", "visa_chargeDeclinedExpiredCard"],
  },
  {
    number: "4000000000000127",
    brand: "visa",
    behaviour: "wrong-cvc",
    tokens: ["chargeDeclinedIncorrectCvc", "visa_chargeDeclinedIncorrectCvc"],
  },
  { number: "4000000000009987", brand: "visa", behaviour: "lost", tokens: ["visa_chargeDeclinedLostCard"] },
  {
    number: "4000000000009979",
    brand: "visa",
    behaviour: "stolen",
    tokens: ["visa_chargeDeclinedStolenCard"],
  },
  {
    number: "4000000000000119",
    brand: "visa",
    behaviour: "processing-error",
    tokens: ["chargeDeclinedProcessingError", "visa_chargeDeclinedProcessingError"],
  },
];

/** The test card of a number, of `pm_card_…` or of `tok_…`; null when it is none. */
export function findCard(key: string): TestCard | null {
  const digits = key.replaceAll(/[\s-]/g, "");
  const name = /^(?:pm_card|tok)_(.+)$/.exec(key)?.[1];
  return (
    CARDS.find(({ number, tokens }) => number === digits || (name !== undefined && tokens.includes(name))) ??
    null
  );
}

type Decline = Omit<CardError, "type">;
const INSUFFICIENT: Decline = {
  code: "card_declined",
  decline_code: "insufficient_funds",
  message: "Your card has insufficient funds.",
};
const GENERIC: Decline = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
};
const DECLINES: Partial<Record<CardBehaviour, Decline>> = {
  declined: GENERIC,
  "declined-after-attaching": GENERIC,
  insufficient: INSUFFICIENT,
  "challenge-then-insufficient": INSUFFICIENT,
  expired: { code: "expired_card", message: "Your card has expired." },
  "wrong-cvc": { code: "incorrect_cvc", message: "Your card's security code is incorrect." },
  lost: { ...GENERIC, decline_code: "lost_card" },
  stolen: { ...GENERIC, decline_code: "stolen_card" },
  "processing-error": {
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
};

/** The error that a charge of such a card ends with; null when it succeeds. */
export function declineOf(behaviour: CardBehaviour): CardError | null {
  const decline = DECLINES[behaviour];
  return decline ? { type: "card_error", ...decline } : null;
}

/**
 * The error when a card is attached or set up. Stripe checks a card then, and refuses the declining ones except
 * 4000000000000341 (docs.stripe.com/testing#declined-payments).
 */
export function attachDeclineOf(behaviour: CardBehaviour): CardError | null {
  const isLater = behaviour === "declined-after-attaching" || behaviour === "challenge-then-insufficient";
  return isLater ? null : declineOf(behaviour);
}

/** Whether a payment with this card must be authenticated by its holder. */
export function needsChallenge(behaviour: CardBehaviour, isSetUp: boolean): boolean {
  if (behaviour === "challenge-until-set-up") return !isSetUp;
  return behaviour === "challenge-always" || behaviour === "challenge-then-insufficient";
}

/** The refusal of a payment without its holder that needs its holder. */
export const AUTHENTICATION_REQUIRED: CardError = {
  type: "card_error",
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

/** The error of a challenge that was not passed. */
export function challengeFailed(kind: "payment" | "setup"): CardError {
  return {
    type: "card_error",
    code: `${kind}_intent_authentication_failure`,
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
  };
}
