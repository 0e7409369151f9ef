import { useState } from "react";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import type { Account, Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { useFollowMoney } from "#app/money/use-follow-money.ts";
import { BillSummary } from "./bill-summary.tsx";
import { CapacityStep } from "./capacity-step.tsx";
import { CheckoutFrame, PayBar } from "./checkout-frame.tsx";
import { isOnRequest } from "./choice.ts";
import { CompanyStep, useCompanySave } from "./company-step.tsx";
import { ContinueButton } from "./continue-button.tsx";
import { CouponField } from "./coupon-field.tsx";
import { isCompanyComplete } from "./order.ts";
import { PayingStep } from "./paying-step.tsx";
import { useBill } from "./use-bill.ts";
import { useCheckout } from "./use-checkout.ts";

/** The three steps, each with the bill beside it. */
export function CheckoutPage({
  catalogue,
  statuses,
  account,
}: {
  catalogue: Catalogue;
  statuses: Statuses;
  account: Account;
}) {
  const checkout = useCheckout(catalogue, statuses);
  const [country, setCountry] = useState<string | null>(null);
  const saving = useCompanySave();
  const { step, choices, coupon } = checkout;
  useFollowMoney(step < 3);
  const bill = useBill({
    choices,
    coupon,
    country: step === 2 ? country : null,
    catalogue,
    statuses,
    account,
  });
  const isRequest = choices.some((choice) => isOnRequest(catalogue, choice));
  const shown = step === 3 && !isCompanyComplete(account.company) ? 2 : step;
  const couponField = <CouponField applied={coupon} onChange={checkout.apply} />;
  if (shown === 3)
    return (
      <PayingStep
        {...{ checkout, catalogue, statuses, account, bill }}
        coupon={couponField}
        onBack={() => checkout.goTo(2)}
      />
    );
  const go = (
    <ContinueButton
      step={shown}
      {...{ checkout, catalogue, statuses }}
      isBusy={saving.isBusy}
      onContinue={() => checkout.goTo(2)}
    />
  );
  return (
    <CheckoutFrame
      step={shown}
      bar={<PayBar cents={bill.lines.length > 0 ? bill.dueCents : null}>{go}</PayBar>}
      bill={
        <BillSummary
          bill={bill}
          choices={choices}
          isOnRequest={isRequest}
          onRemove={shown === 1 ? checkout.remove : null}
        >
          {bill.lines.length > 0 && couponField}
          <div className="bill-summary__go">{go}</div>
          <p className="meta">{shown === 1 ? copy.nothingYet : copy.company.changeLater}</p>
        </BillSummary>
      }
      onBack={shown === 2 ? () => checkout.goTo(1) : null}
    >
      {shown === 1 ? (
        <CapacityStep {...{ checkout, catalogue, statuses }} />
      ) : (
        <CompanyStep
          account={account}
          request={saving}
          onCountry={setCountry}
          onSaved={() => {
            setCountry(null);
            checkout.goTo(3);
          }}
        />
      )}
    </CheckoutFrame>
  );
}
