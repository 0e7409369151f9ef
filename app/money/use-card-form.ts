import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { checkoutCopy } from "#app/copy/checkout.ts";
import { cardAppearance } from "./card-appearance.ts";
import { mayShowCardForm } from "./card-page.ts";
import { noCardText } from "./no-card-text.ts";
import { elementsOptions, loadStripe, type Stripe, type StripeElements } from "./stripe-js.ts";

const copy = checkoutCopy.pay;

/** The provider's card form in a page. */
export type CardForm = {
  /** Where the form appears. */
  place: RefObject<HTMLDivElement>;
  state: "loading" | "ready" | "failed";
  stripe: Stripe | null;
  elements: StripeElements | null;
  /** Checks the form and makes a payment method of it. */
  collect: () => Promise<{ id: string } | { message: string }>;
  /** Loads a form that failed once more. */
  retry: () => void;
};

/** What the form is for: a payment of so many cents, or the confirmation of a saved card. */
type Purpose = { cents: number } | { clientSecret: string };

/**
 * Loads the provider's script and shows its card form. The purpose may change its sum; another secret needs another key.
 *
 * @param wanted "script": without a form, for a card on file, because its bank may ask to confirm the payment.
 */
export function useCardForm(
  { scriptUrl, publishableKey }: { scriptUrl: string; publishableKey: string },
  purpose: Purpose,
  wanted: "form" | "script" | "nothing" = "form",
): CardForm {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<CardForm["state"]>("loading");
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [elements, setElements] = useState<StripeElements | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useRef(purpose);
  latest.current = purpose;
  const secret = "clientSecret" in purpose ? purpose.clientSecret : null;
  const cents = "cents" in purpose ? purpose.cents : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: -- another try mounts the form anew
  useEffect(() => {
    if (wanted === "nothing" || publishableKey === "") return;
    if (!mayShowCardForm()) return window.location.reload();
    let isGone = false;
    let element: { destroy: () => void } | null = null;
    setState("loading");
    loadStripe(scriptUrl, publishableKey)
      .then((loaded) => {
        if (isGone) return;
        setStripe(loaded);
        if (wanted !== "form" || !place.current) return;
        const appearance = cardAppearance();
        const start = latest.current;
        const made = loaded.elements(
          "clientSecret" in start
            ? { clientSecret: start.clientSecret, appearance }
            : { ...elementsOptions(start.cents), appearance },
        );
        const card = made.create("payment", {
          layout: "tabs",
          wallets: { applePay: "never", googlePay: "never", link: "never" },
        });
        card.on("ready", () => !isGone && setState("ready"));
        card.on("loaderror", () => !isGone && setState("failed"));
        card.mount(place.current);
        element = card;
        setElements(made);
      })
      .catch(() => !isGone && setState("failed"));
    return () => {
      isGone = true;
      element?.destroy();
      setElements(null);
    };
  }, [scriptUrl, publishableKey, wanted, tries, secret]);

  useEffect(() => {
    if (cents === null) return;
    const { mode, amount } = elementsOptions(cents);
    elements?.update(amount === undefined ? { mode } : { mode, amount });
  }, [cents, elements]);

  const collect = useCallback(async () => {
    if (!stripe || !elements) return { message: copy.incorrectCard };
    const { error: invalid } = await elements.submit();
    if (invalid) return { message: noCardText(invalid) };
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements });
    if (!paymentMethod) return { message: noCardText(error) };
    return { id: paymentMethod.id };
  }, [stripe, elements]);

  return {
    place,
    state,
    stripe,
    elements,
    collect,
    retry: () => setTries((count) => count + 1),
  };
}
