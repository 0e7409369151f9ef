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
 * @param isWanted False while the page shows no form.
 */
export function useCardForm(
  { scriptUrl, publishableKey }: { scriptUrl: string; publishableKey: string },
  purpose: Purpose,
  isWanted = true,
): CardForm {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<CardForm["state"]>("loading");
  const [loaded, setLoaded] = useState<{ stripe: Stripe; elements: StripeElements } | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useRef(purpose);
  latest.current = purpose;
  const secret = "clientSecret" in purpose ? purpose.clientSecret : null;
  const cents = "cents" in purpose ? purpose.cents : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: -- another try mounts the form anew
  useEffect(() => {
    if (!isWanted || publishableKey === "") return;
    if (!mayShowCardForm()) return window.location.reload();
    let isGone = false;
    let element: { destroy: () => void } | null = null;
    setState("loading");
    loadStripe(scriptUrl, publishableKey)
      .then((stripe) => {
        if (isGone || !place.current) return;
        const appearance = cardAppearance();
        const start = latest.current;
        const elements = stripe.elements(
          "clientSecret" in start
            ? { clientSecret: start.clientSecret, appearance }
            : { ...elementsOptions(start.cents), appearance },
        );
        const card = elements.create("payment", {
          layout: "tabs",
          wallets: { applePay: "never", googlePay: "never", link: "never" },
        });
        card.on("ready", () => !isGone && setState("ready"));
        card.on("loaderror", () => !isGone && setState("failed"));
        card.mount(place.current);
        element = card;
        setLoaded({ stripe, elements });
      })
      .catch(() => !isGone && setState("failed"));
    return () => {
      isGone = true;
      element?.destroy();
      setLoaded(null);
    };
  }, [scriptUrl, publishableKey, isWanted, tries, secret]);

  useEffect(() => {
    if (cents === null) return;
    const { mode, amount } = elementsOptions(cents);
    loaded?.elements.update(amount === undefined ? { mode } : { mode, amount });
  }, [cents, loaded]);

  const collect = useCallback(async () => {
    if (!loaded) return { message: copy.incorrectCard };
    const { error: invalid } = await loaded.elements.submit();
    if (invalid) return { message: noCardText(invalid) };
    const { paymentMethod, error } = await loaded.stripe.createPaymentMethod({ elements: loaded.elements });
    if (!paymentMethod) return { message: noCardText(error) };
    return { id: paymentMethod.id };
  }, [loaded]);

  return {
    place,
    state,
    stripe: loaded?.stripe ?? null,
    elements: loaded?.elements ?? null,
    collect,
    retry: () => setTries((count) => count + 1),
  };
}
