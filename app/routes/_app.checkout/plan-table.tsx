import { Check, ChevronDown, Minus } from "lucide-react";
import { checkoutCopy, planRows } from "#app/copy/checkout.ts";

const copy = checkoutCopy.plan;
const PLANS = ["essential", "pro_plan", "enterprise"] as const;

/** Every line of the plans, side by side; closed at first (spec B-007 to B-029, B-041). */
export function PlanTable() {
  return (
    <details className="plan-lines">
      <summary className="link">
        {copy.compare}
        <ChevronDown className="icon-s" aria-hidden />
      </summary>
      <div className="plan-lines__scroll">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">{copy.title}</span>
              </th>
              {PLANS.map((plan) => (
                <th key={plan} scope="col">
                  {copy.names[plan]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {planRows.map((row) => (
              <tr key={row.label}>
                <th scope="row">{row.label}</th>
                {PLANS.map((plan) => (
                  <td key={plan} data-label={copy.names[plan]}>
                    <Cell text={row[plan]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Cell({ text }: { text: string }) {
  if (text !== "Yes" && text !== "No") return <>{text}</>;
  const Icon = text === "Yes" ? Check : Minus;
  return (
    <>
      <Icon className={text === "Yes" ? "icon-s ok-t" : "icon-s soft"} aria-hidden />
      <span className="sr">{text}</span>
    </>
  );
}
