import { Button } from "#app/components/button.tsx";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import type { Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { labelOf } from "./app-labels.ts";
import { type Refusal, refusalOf } from "./choice.ts";
import { COMPANY_FORM } from "./company-step.tsx";
import { onFirstClick } from "./on-first-click.ts";
import type { Checkout } from "./use-checkout.ts";

/** Continue of step 1 and 2; off with its reason while the choice cannot be bought (spec B-046 to B-050). */
export function ContinueButton({
  step,
  checkout,
  catalogue,
  statuses,
  isBusy,
  onContinue,
}: {
  step: 1 | 2;
  checkout: Checkout;
  catalogue: Catalogue;
  statuses: Statuses;
  isBusy: boolean;
  onContinue: () => void;
}) {
  if (step === 2)
    return (
      <Button
        type="submit"
        form={COMPANY_FORM}
        variant="solid"
        size="l"
        isWide
        isBusy={isBusy}
        onClick={onFirstClick()}
      >
        {copy.continue}
      </Button>
    );
  return (
    <Button
      variant="solid"
      size="l"
      isWide
      reason={reasonOf(checkout, catalogue, statuses)}
      onClick={onFirstClick(onContinue)}
    >
      {copy.continue}
    </Button>
  );
}

/** The first reason; with several apps in the bill it names the app. */
function reasonOf({ current, choices }: Checkout, catalogue: Catalogue, statuses: Statuses): string | null {
  if (choices.length === 0) return refusalText({ kind: "no-app" });
  for (const choice of choices) {
    const refusal = refusalOf(catalogue, choice, statuses[choice.platform]);
    if (refusal === null) continue;
    const text = refusalText(refusal);
    return choice.platform === current ? text : copy.refusals.other(labelOf(choice.platform), text);
  }
  return null;
}

function refusalText(refusal: Refusal): string {
  if (refusal.kind === "too-few") return copy.refusals.tooFew(refusal.least);
  return copy.refusals[refusal.kind];
}
