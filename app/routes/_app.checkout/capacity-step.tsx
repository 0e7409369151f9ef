import { Link } from "@remix-run/react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { checkoutCopy as copy, unitWords } from "#app/copy/checkout.ts";
import type { Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { usedOf } from "#app/money/used-of.ts";
import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";
import { AppCards } from "./app-cards.tsx";
import { CapacityField } from "./capacity-field.tsx";
import { anyPrice, type Choice, pausedBy, priceOfChoice, refusalOf, warningOf } from "./choice.ts";
import { PlanCards } from "./plan-cards.tsx";
import type { Checkout } from "./use-checkout.ts";

type Props = { checkout: Checkout; catalogue: Catalogue; statuses: Statuses };

/** Step 1: the app, how much of it, the plan, and the billing period. */
export function CapacityStep({ checkout, catalogue, statuses }: Props) {
  const choice = checkout.current === null ? null : checkout.choiceOf(checkout.current);
  const brackets = choice && (priceOfChoice(catalogue, choice) ?? anyPrice(catalogue, choice.platform));
  const status = choice ? statuses[choice.platform] : undefined;
  return (
    <>
      <AppCards checkout={checkout} catalogue={catalogue} statuses={statuses} />
      {choice && brackets && (
        <>
          <CapacityField
            key={choice.platform}
            choice={choice}
            price={brackets}
            used={usedOf(status)}
            onChange={(quantity) => checkout.change({ quantity })}
          />
          <div role="status">
            <Warnings choice={choice} catalogue={catalogue} statuses={statuses} />
          </div>
          <PlanCards choice={choice} catalogue={catalogue} onChange={checkout.change} />
          <Another checkout={checkout} catalogue={catalogue} statuses={statuses} choice={choice} />
        </>
      )}
    </>
  );
}

/** What the choice means for what runs already (spec B-226, B-227), and what an unfinished purchase means for it. */
function Warnings({ choice, catalogue, statuses }: { choice: Choice } & Omit<Props, "checkout">) {
  const status = statuses[choice.platform];
  const found = status?.subscription;
  const warning = warningOf(catalogue, choice, status);
  const isOpen = found?.status === "incomplete" || (found?.pending ?? null) !== null;
  const isUnpaid = refusalOf(catalogue, choice, status)?.kind === "unpaid";
  if (warning === null && !isOpen && !isUnpaid) return null;
  const isPeople = countsUsers(choice.platform);
  const units = unitWords(choice.platform);
  const paused = pausedBy(catalogue, choice, status);
  return (
    <div className="stack checkout-notes">
      {warning === "active" && <Callout tone="warn">{copy.warnings.active}</Callout>}
      {warning === "fewer" && (
        <Callout
          tone="warn"
          action={
            paused > 0 && (
              <Link className={buttonClass({ size: "s" })} to={`/platform/dashboard/${choice.platform}`}>
                {copy.warnings.choose(units[1])}
              </Link>
            )
          }
        >
          {[
            copy.warnings.fewer(isPeople ? copy.warnings.users : copy.warnings.backups),
            ...(paused > 0 ? [copy.warnings.paused(paused, units)] : []),
          ].join(" ")}
        </Callout>
      )}
      {isOpen && <Callout>{copy.warnings.open}</Callout>}
      {isUnpaid && (
        <Callout
          tone="warn"
          action={
            <Link className={buttonClass({ size: "s" })} to="/subscriptions">
              {copy.subscriptions}
            </Link>
          }
        >
          {copy.warnings.unpaid}
        </Callout>
      )}
    </div>
  );
}

/** Puts the choice into the bill and lets another app be chosen, while one is left. */
function Another({ checkout, catalogue, statuses, choice }: Props & { choice: Choice }) {
  const taken = new Set(checkout.choices.map(({ platform }) => platform));
  const isLeft = OFFERED_PLATFORMS.some(({ id }) => Object.hasOwn(catalogue, id) && !taken.has(id));
  if (!isLeft || refusalOf(catalogue, choice, statuses[choice.platform]) !== null) return null;
  return (
    <p className="row wraps checkout-another">
      <Button onClick={checkout.addAnother}>{copy.app.another}</Button>
      <span className="meta">{copy.app.anotherHint}</span>
    </p>
  );
}
