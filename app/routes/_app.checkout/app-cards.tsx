import { PlatformMark } from "#app/components/platform-mark.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { PlatformStatus, Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";
import { boughtBefore } from "./choice.ts";
import type { Checkout } from "./use-checkout.ts";

const copy = checkoutCopy.app;

/** The apps, with what each one has (spec B-036). One that is in the bill is edited when it is chosen again. */
export function AppCards({
  checkout,
  catalogue,
  statuses,
}: {
  checkout: Checkout;
  catalogue: Catalogue;
  statuses: Statuses;
}) {
  const inBill = new Set(checkout.choices.map(({ platform }) => platform));
  return (
    <fieldset>
      <legend>
        <h2>{copy.title}</h2>
      </legend>
      <div className="app-cards checkout-apps">
        {OFFERED_PLATFORMS.map(({ id, label }) => {
          const isSold = Object.hasOwn(catalogue, id);
          const isOther = inBill.has(id) && id !== checkout.current;
          return (
            <label key={id} className={isSold ? "choice" : "choice is-dim"}>
              <input
                type="radio"
                name="app"
                value={id}
                checked={checkout.current === id}
                disabled={!isSold}
                onChange={() => checkout.choose(id)}
              />
              <span className="choice__head">
                <PlatformMark platform={id} />
                <span className="radio" />
              </span>
              <span>
                <b className="strong">{label}</b>
                <span className="meta app-cards__state">
                  {isSold ? (isOther ? copy.inBill : stateText(statuses[id])) : copy.notSold}
                </span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** What an app has now: "Pro, 50", "Trial, 3 days", "No trial yet". */
function stateText(status: PlatformStatus | undefined): string {
  const bought = boughtBefore(status);
  if (bought) return copy.bought(bought.planName ?? "", bought.quantity);
  if (status?.trialStatus === "active") return copy.trial(Math.round(status.trialHoursLeft / 24));
  if (status?.subscription.type === "subscription") return copy.ended;
  return status?.trialStatus === "expired" ? copy.trialOver : copy.none;
}
