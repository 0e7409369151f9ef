import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Callout } from "#app/components/callout.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { checkoutCopy, unitWords } from "#app/copy/checkout.ts";
import { fullDateText } from "#app/format/dates.ts";
import { usd } from "#app/money/usd.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { labelOf } from "./app-labels.ts";
import type { BillLine } from "./bill.ts";
import type { Choice } from "./choice.ts";
import type { ShownBill } from "./use-bill.ts";

const copy = checkoutCopy.bill;

/** The bill beside every step (spec B-045): a line for every cent, and the double rule only under the sum. */
export function BillSummary({
  bill,
  choices,
  isOnRequest,
  onRemove,
  children,
}: {
  bill: ShownBill;
  choices: readonly Choice[];
  isOnRequest: boolean;
  /** Removes an app; null on the steps where the choice is fixed. */
  onRemove: ((platform: string) => void) | null;
  /** The coupon, the button and what goes with it. */
  children: ReactNode;
}) {
  return (
    <aside className="bill-summary" aria-labelledby="bill-title">
      <h2 id="bill-title">{copy.title}</h2>
      {bill.lines.length === 0 ? (
        <p className="soft">
          {isOnRequest ? copy.onRequest : choices.length > 0 ? copy.refused : copy.empty}
        </p>
      ) : (
        <>
          <Lines bill={bill} choices={choices} onRemove={onRemove} />
          <p className="meta bill-note" role="status">
            {bill.isChecking ? copy.checking : bill.hasTax ? "" : copy.noTax}
          </p>
        </>
      )}
      {bill.error && <Callout tone="bad">{bill.error.message}</Callout>}
      {children}
    </aside>
  );
}

function Lines({
  bill,
  choices,
  onRemove,
}: {
  bill: ShownBill;
  choices: readonly Choice[];
  onRemove: ((platform: string) => void) | null;
}) {
  const { timeZone } = useShell().member;
  const [only] = choices;
  const perUnit = choices.length === 1 && only ? perUnitCents(bill, only) : null;
  return (
    <dl aria-busy={bill.isChecking || undefined}>
      {bill.lines.map((line) => (
        <Line
          key={line.key}
          line={line}
          onRemove={
            onRemove && choices.length > 1 && choices.some(({ platform }) => platform === line.key)
              ? () => onRemove(line.key)
              : null
          }
        />
      ))}
      <div className="sum">
        <dt>{copy.due}</dt>
        <dd>{usd(bill.dueCents)}</dd>
      </div>
      {bill.renewals.map(({ at, cents }) => (
        <div key={at} className="after">
          <dt>{copy.renews(fullDateText(at, timeZone))}</dt>
          <dd>{usd(cents)}</dd>
        </div>
      ))}
      {perUnit !== null && only && (
        <div className="after">
          <dt>{copy.perUnit(unitWords(only.platform)[0])}</dt>
          <dd>{usd(perUnit)}</dd>
        </div>
      )}
    </dl>
  );
}

function Line({ line, onRemove }: { line: BillLine; onRemove: (() => void) | null }) {
  const { label, note, cents } = line;
  return (
    <div>
      <dt>
        {label}
        {note !== null && <small>{note}</small>}
      </dt>
      <dd className={cents < 0 ? "ok-t" : undefined}>
        {usd(cents)}
        {onRemove && (
          <IconButton label={copy.remove(labelOf(line.key))} onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        )}
      </dd>
    </div>
  );
}

/** What one unit costs in a month, without tax, of what is bought. */
function perUnitCents(bill: ShownBill, { platform, period, quantity }: Choice): number | null {
  const preview = bill.previews.get(platform);
  if (!preview || quantity < 1) return null;
  return Math.round(preview.recurring / (period === "year" ? 12 : 1) / quantity);
}
