import { useNavigate } from "@remix-run/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type ApiError, callApi, refreshPlatformStatus } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { notify } from "#app/components/toasts.ts";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Statuses } from "#app/money/billing-queries.ts";
import type { Stripe } from "#app/money/stripe-js.ts";
import { forgetCheckout } from "./checkout-memory.ts";
import { buy, type CardSource, type OpenPayment, type Order, type Outcome, payAgain } from "./purchase.ts";
import { markOf, waitForChange } from "./wait-for-change.ts";

const copy = checkoutCopy.pay;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Purchase = {
  /** A call is on its way, or the bank is asked. A second press does nothing. */
  isBusy: boolean;
  /** Everything is paid, and the subscription is about to start. */
  isPaid: boolean;
  /** Payments that did not go through; empty before and after. */
  open: readonly OpenPayment[];
  /** Apps of this purchase that are paid, although others are not. */
  paid: readonly string[];
  /** Why no payment method came about. */
  cardMessage: string | null;
  /** A refused call, for the error dialog. */
  failure: ApiError | null;
  dismiss: () => void;
  pay: (order: Order, card: CardSource, stripe: Stripe | null) => Promise<void>;
};

/** Buys once: one try at a time, and after it is paid the page only waits and leaves (spec B-184, B-185). */
export function usePurchase(statuses: Statuses, onPriceChanged: () => void): Purchase {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { isBusy, failure, refuse, send } = useRequest();
  const [open, setOpen] = useState<readonly OpenPayment[]>([]);
  const [paid, setPaid] = useState<readonly string[]>([]);
  const [isPaid, setIsPaid] = useState(false);
  const [cardMessage, setCardMessage] = useState<string | null>(null);
  const isRunning = useRef(false);
  const isHere = useIsHere();

  async function take(outcome: Outcome, order: Order) {
    if (outcome.kind === "no-card") return setCardMessage(outcome.message);
    if (outcome.kind === "open") {
      setPaid((before) => [...before, ...outcome.paid]);
      return setOpen(outcome.open);
    }
    setOpen([]);
    setIsPaid(true);
    forgetCheckout(window.sessionStorage);
    void leaveWhenActive(order);
  }

  /** Waits for the subscriptions in the background: the payment itself is done. */
  async function leaveWhenActive({ items }: Order) {
    const before = new Map(items.map(({ platform }) => [platform, markOf(statuses[platform])]));
    const isActive = await waitForChange(before, { look: refreshPlatformStatus, sleep });
    if (!isHere.current) return;
    notify(isActive ? copy.active : copy.slow);
    navigate("/");
  }

  async function pay(order: Order, card: CardSource, stripe: Stripe | null) {
    if (isRunning.current || isPaid) return;
    isRunning.current = true;
    setCardMessage(null);
    try {
      const isDone = await send(async () => {
        const script = stripe ?? UNLOADED;
        const tools = { call: callApi, stripe: script };
        const again = open.length > 0;
        const outcome = again ? await payAgain(tools, card, { open, order }) : await buy(tools, card, order);
        await take(outcome, order);
      });
      // Not awaited: the button is enabled again, so the next press must count.
      if (!isDone) void client.invalidateQueries({ queryKey: ["money", "statuses"] });
    } catch (cause) {
      // The provider's script broke off. What the server has is asked again with the next press.
      setCardMessage(cause instanceof Error && cause.message ? cause.message : copy.providerError);
    } finally {
      isRunning.current = false;
    }
  }
  const isStale = failure?.code === "err.payment.quote";
  const told = useRef<ApiError | null>(null);
  useEffect(() => {
    if (!isStale || told.current === failure) return;
    told.current = failure;
    onPriceChanged();
  }, [isStale, failure, onPriceChanged]);

  return {
    isBusy: isBusy || isPaid,
    isPaid,
    open,
    paid,
    cardMessage: isStale ? copy.priceChanged : cardMessage,
    failure: isStale ? null : failure,
    dismiss: () => refuse(null),
    pay,
  };
}

/** Stands in while the script is not there: a card on file needs it only when the bank asks. */
const UNLOADED: Pick<Stripe, "handleNextAction" | "confirmCardPayment" | "confirmCardSetup"> = {
  handleNextAction: () => Promise.resolve({ error: { message: copy.scriptFailed } }),
  confirmCardPayment: () => Promise.resolve({ error: { message: copy.scriptFailed } }),
  confirmCardSetup: () => Promise.resolve({ error: { message: copy.scriptFailed } }),
};

/** True until the page is left. */
function useIsHere() {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
