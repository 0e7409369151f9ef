import { Link } from "@remix-run/react";
import { Check } from "lucide-react";
import { useId } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import { type Catalogue, costCents, type Period } from "#app/money/catalogue-view.ts";
import { usd } from "#app/money/usd.ts";
import { anyPrice, type Choice, isAnnualSold, priceOfChoice } from "./choice.ts";
import { PlanTable } from "./plan-table.tsx";

const copy = checkoutCopy.plan;
const PLANS = ["essential", "pro_plan", "enterprise"] as const;

/** The plans with their prices, the billing period, and a comparison (spec B-038 to B-041). */
export function PlanCards({
  choice,
  catalogue,
  onChange,
}: {
  choice: Choice;
  catalogue: Catalogue;
  onChange: (next: Partial<Choice>) => void;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="section-head checkout-head checkout-head-middle">
        <h2 id={id}>{copy.title}</h2>
        {isAnnualSold(catalogue, choice.platform) ? (
          <PeriodChoice value={choice.period} onChange={(period) => onChange({ period })} />
        ) : (
          <span className="meta">{copy.monthOnly}</span>
        )}
      </div>
      <div className="plan-compare" role="radiogroup" aria-labelledby={id}>
        {PLANS.map((plan) => (
          <div key={plan} className="choice">
            <label>
              <input
                type="radio"
                name="plan"
                value={plan}
                checked={choice.plan === plan}
                onChange={() => onChange({ plan })}
              />
              <span className="choice__head">
                {copy.names[plan]}
                <span className="radio" />
              </span>
              <PlanPrice choice={{ ...choice, plan }} catalogue={catalogue} />
              <PlanRibbon plan={plan} />
            </label>
            <ul>
              {copy.facts[plan].map((fact) => (
                <li key={fact}>
                  <Check aria-hidden />
                  {fact}
                </li>
              ))}
            </ul>
            {plan === "enterprise" && (
              <Link className={buttonClass({ size: "s" })} to="/contact">
                {checkoutCopy.contact}
              </Link>
            )}
          </div>
        ))}
      </div>
      <PlanTable />
    </section>
  );
}

/** The monthly figure of a plan; none when it is on request (spec B-186, B-187). */
function PlanPrice({ choice, catalogue }: { choice: Choice; catalogue: Catalogue }) {
  const price = priceOfChoice(catalogue, choice);
  const most = anyPrice(catalogue, choice.platform)?.maximum ?? 0;
  const cents = price && choice.quantity <= most ? costCents(price, Math.max(1, choice.quantity)) : null;
  if (cents === null) return <span className="price">{copy.onRequest}</span>;
  return (
    <span className="price">
      <span className="mono">{usd(choice.period === "year" ? Math.round(cents / 12) : cents)}</span>
      <span className="meta"> {copy.aMonth}</span>
    </span>
  );
}

function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <fieldset className="segmented">
      <legend className="sr">{copy.period}</legend>
      <label>
        <input type="radio" name="period" checked={value === "month"} onChange={() => onChange("month")} />
        {copy.month}
      </label>
      <label>
        <input type="radio" name="period" checked={value === "year"} onChange={() => onChange("year")} />
        <span>
          {copy.year} <span className="ok-t">{copy.saves}</span>
        </span>
      </label>
    </fieldset>
  );
}

const ROWS = [0, 1, 2];
const DAYS = Array.from({ length: 30 }, (_, day) => day);

/** Ninety days in three rows of thirty: what a plan keeps. */
function PlanRibbon({ plan }: { plan: (typeof PLANS)[number] }) {
  const cell = (row: number) => (plan === "essential" ? (row === 0 ? "k" : "n") : "s");
  return (
    <span className="plan-ribbon" role="img" aria-label={copy.ribbons[plan]}>
      {ROWS.map((row) => (
        <span
          key={row}
          className={
            plan === "enterprise" ? "retention-ribbon ribbon-fill is-faded" : "retention-ribbon ribbon-fill"
          }
        >
          {DAYS.map((day) => (
            <i key={day} className={cell(row)} />
          ))}
        </span>
      ))}
    </span>
  );
}
