import { Check } from "lucide-react";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";

/** The steps of the checkout. `now` is the current one, from 1. */
export function CheckoutStepper({ now }: { now: number }) {
  return (
    <ol className="stepper checkout-steps" aria-label={copy.stepsLabel}>
      {copy.steps.map((word, at) => {
        const number = at + 1;
        const look = number < now ? "is-done" : number === now ? "is-now" : undefined;
        return (
          <li key={word} className={look} aria-current={number === now ? "step" : undefined}>
            {number < now ? <Check className="ok-t" aria-hidden /> : <span className="n">{number}</span>}
            <span className="t">{word}</span>
          </li>
        );
      })}
    </ol>
  );
}
