import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import { usd } from "#app/money/usd.ts";
import { CheckoutStepper } from "./checkout-stepper.tsx";

/** A step on the left, the bill on the right; on a phone the button sticks to the bottom. */
export function CheckoutFrame({
  step,
  bill,
  bar,
  onBack,
  children,
}: {
  step: number;
  bill: ReactNode;
  bar: ReactNode;
  onBack: (() => void) | null;
  children: ReactNode;
}) {
  return (
    <>
      <div className="with-bill">
        <div>
          <CheckoutStepper now={step} />
          {children}
          {onBack && (
            <div className="checkout-back">
              <Button variant="ghost" size="l" onClick={onBack}>
                <ArrowLeft aria-hidden />
                {copy.back}
              </Button>
            </div>
          )}
        </div>
        {bill}
      </div>
      {bar}
    </>
  );
}

/** The bottom of a phone's screen: the sum, and the step's button. */
export function PayBar({ cents, children }: { cents: number | null; children: ReactNode }) {
  return (
    <div className="action-bar phone-only pay-bar">
      {cents !== null && (
        <span>
          <span className="meta">{copy.bill.due}</span>
          <b>{usd(cents)}</b>
        </span>
      )}
      {children}
    </div>
  );
}
