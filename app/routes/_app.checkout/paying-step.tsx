import { type ReactNode, useCallback, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Account, Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { usd } from "#app/money/usd.ts";
import { useCardForm } from "#app/money/use-card-form.ts";
import { BillSummary } from "./bill-summary.tsx";
import { CheckoutFrame, PayBar } from "./checkout-frame.tsx";
import { FailedDialog } from "./failed-dialog.tsx";
import { onFirstClick } from "./on-first-click.ts";
import { orderOf } from "./order.ts";
import { PaymentStep } from "./payment-step.tsx";
import type { ShownBill } from "./use-bill.ts";
import type { Checkout } from "./use-checkout.ts";
import { usePurchase } from "./use-purchase.ts";

const ErrorDialog = lazyDialog(() => import("#app/components/error-dialog.tsx"));
const copy = checkoutCopy.pay;

/** Step 3 with its bill: pays, shows what was refused, and waits for the subscription. */
export function PayingStep({
  checkout,
  catalogue,
  statuses,
  account,
  bill,
  coupon,
  onBack,
}: {
  checkout: Checkout;
  catalogue: Catalogue;
  statuses: Statuses;
  account: Account;
  bill: ShownBill;
  coupon: ReactNode;
  onBack: () => void;
}) {
  const [isOnFile, setIsOnFile] = useState(account.paymentMethod !== null);
  const form = useCardForm(account, { cents: bill.dueCents }, isOnFile ? "script" : "form");
  const { refresh } = bill;
  const purchase = usePurchase(
    statuses,
    useCallback(() => void refresh(), [refresh]),
  );
  const { choices } = checkout;
  const isSetUp = account.publishableKey !== "";
  const isAgain = purchase.open.length > 0;

  function pay() {
    const order = orderOf(choices, {
      catalogue,
      previews: bill.previews,
      coupon: checkout.coupon,
      company: account.company,
      paid: purchase.paid,
    });
    const card = isOnFile
      ? ({ kind: "on-file" } as const)
      : ({ kind: "form", collect: form.collect } as const);
    void purchase.pay(order, card, form.stripe);
  }
  if (purchase.isPaid) return <Activating />;
  const isWaiting = bill.isChecking || (!isOnFile && form.state !== "ready");
  const button = isSetUp ? (
    <Button
      variant="solid"
      size="l"
      isWide
      isBusy={purchase.isBusy}
      aria-disabled={isWaiting || bill.error !== null}
      onClick={onFirstClick(pay)}
    >
      {isAgain ? copy.again : bill.dueCents > 0 ? copy.pay(usd(bill.dueCents)) : copy.confirm}
    </Button>
  ) : null;
  return (
    <>
      <CheckoutFrame
        step={3}
        bar={<PayBar cents={isAgain ? bill.dueCents : null}>{button}</PayBar>}
        bill={
          <BillSummary bill={bill} choices={choices} isOnRequest={false} onRemove={null}>
            {!isAgain && !purchase.isBusy && coupon}
            <div className="bill-summary__go">{button}</div>
            <p className="meta">{copy.renewNote(choices.every(({ period }) => period === "year"))}</p>
          </BillSummary>
        }
        onBack={purchase.isBusy ? null : onBack}
      >
        {isSetUp ? (
          <PaymentStep
            {...{ account, form, isOnFile, purchase }}
            onFile={setIsOnFile}
            onChangeCompany={onBack}
          />
        ) : (
          <Callout tone="warn">{copy.notSetUp}</Callout>
        )}
      </CheckoutFrame>
      <FailedDialog open={purchase.open} onContinue={() => setIsOnFile(false)} />
      <ErrorDialog
        isOpen={purchase.failure !== null}
        onClose={purchase.dismiss}
        failure={purchase.failure && { text: purchase.failure.message, code: purchase.failure.code }}
      />
    </>
  );
}

/** Paid: the page waits for the subscription, and may be left. */
function Activating() {
  return (
    <div className="note-page" role="status">
      <h2>{copy.activating}</h2>
      <div className="progress is-unknown">
        <i />
      </div>
      <p>{copy.activatingText}</p>
    </div>
  );
}
