/**
 * The parts of the payment provider's script that we use, and how it comes into a page. The script is never one of our
 * own files: card numbers go from its frames straight to the provider. Its address comes from the configuration.
 */

/** A refusal in the provider's words. */
export type StripeError = {
  type?: string;
  code?: string;
  decline_code?: string;
  message?: string;
};

type Intent = { id: string; status: string; payment_method?: string | { id: string } | null };
type IntentAnswer = { paymentIntent?: Intent; setupIntent?: Intent; error?: StripeError };

/** The form for a card, which lives in a frame of the provider. */
export type StripeElement = {
  mount: (place: HTMLElement) => void;
  destroy: () => void;
  on: (event: "ready" | "change" | "loaderror", handle: (event: { error?: StripeError }) => void) => unknown;
};

export type StripeElements = {
  create: (kind: "payment", options?: object) => StripeElement;
  update: (options: object) => void;
  submit: () => Promise<{ error?: StripeError }>;
};

/** What the card form is for. A sum of 0 saves the card only. */
export type ElementsOptions = {
  mode: "subscription" | "setup";
  amount?: number;
  currency: "usd";
  paymentMethodCreation: "manual";
  allowedPaymentMethodTypes: readonly ["card"];
  appearance?: object;
};

export type Stripe = {
  elements: (options: ElementsOptions | { clientSecret: string; appearance?: object }) => StripeElements;
  createPaymentMethod: (options: {
    elements: StripeElements;
  }) => Promise<{ paymentMethod?: { id: string }; error?: StripeError }>;
  handleNextAction: (options: { clientSecret: string }) => Promise<IntentAnswer>;
  confirmCardPayment: (secret: string, data: { payment_method: string }) => Promise<IntentAnswer>;
  confirmCardSetup: (secret: string, data: { payment_method: string }) => Promise<IntentAnswer>;
  confirmSetup: (options: {
    elements: StripeElements;
    redirect: "if_required";
    confirmParams: { return_url: string };
  }) => Promise<IntentAnswer>;
};

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

const loading = new Map<string, Promise<Stripe>>();

/** Loads the provider's script once for a page. After a failure, the next call tries again. */
export function loadStripe(scriptUrl: string, publishableKey: string): Promise<Stripe> {
  const key = `${scriptUrl} ${publishableKey}`;
  const known = loading.get(key);
  if (known) return known;
  const asked = injectScript(scriptUrl).then(() => {
    if (!window.Stripe) throw new Error("the payment provider's script has no Stripe function");
    return window.Stripe(publishableKey);
  });
  loading.set(key, asked);
  asked.catch(() => loading.delete(key));
  return asked;
}

function injectScript(src: string): Promise<void> {
  if (window.Stripe) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.async = true;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("the payment provider's script did not load"));
    });
    document.head.appendChild(script);
  });
}

/** The form for a card that pays `cents`, or that is only saved when nothing is due. */
export function elementsOptions(cents: number): ElementsOptions {
  const common = {
    currency: "usd",
    paymentMethodCreation: "manual",
    allowedPaymentMethodTypes: ["card"],
  } as const;
  return cents > 0 ? { mode: "subscription", amount: cents, ...common } : { mode: "setup", ...common };
}
