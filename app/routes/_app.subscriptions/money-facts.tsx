import { subscriptionsCopy } from "#app/copy/subscriptions.ts";
import type { Account } from "#app/money/billing-queries.ts";
import { CardLine, expiryText } from "#app/money/card-line.tsx";
import { usd } from "#app/money/usd.ts";
import { monthlySum, nextInvoice, type SubscriptionRow, titleOf } from "./subscription-texts.ts";

const copy = subscriptionsCopy.facts;

/** The next invoice, the card, and what all apps cost in a month. */
export function MoneyFacts({
  rows,
  account,
  day,
  onChangeCard,
}: {
  rows: readonly SubscriptionRow[];
  account: Account;
  day: (at: number) => string;
  onChangeCard: () => void;
}) {
  const next = nextInvoice(rows);
  const { cents, after } = monthlySum(rows);
  const { paymentMethod: card, balance } = account;
  return (
    <dl className="money-facts">
      <div>
        <dt>{copy.next}</dt>
        <dd className="mono">{next ? usd(next.cents) : copy.noNext}</dd>
        <dd className="note">
          {next ? copy.nextNote(day(next.at), titleOf(next.row)) : copy.noNextNote}
          {balance > 0 && `; ${copy.credit(usd(balance))}`}
        </dd>
      </div>
      <div>
        <dt>{copy.card}</dt>
        <dd>{card ? <CardLine card={card} /> : copy.noCard}</dd>
        <dd className="note row between">
          <span>{card && copy.expires(expiryText(card))}</span>
          {account.publishableKey !== "" && (
            <button type="button" className="link" onClick={onChangeCard}>
              {card ? copy.change : copy.add}
            </button>
          )}
        </dd>
      </div>
      <div>
        <dt>{copy.month}</dt>
        <dd className="mono">{usd(cents)}</dd>
        <dd className="note">
          {after ? copy.monthLess(usd(after.cents), after.label, day(after.at)) : copy.monthNote}
        </dd>
      </div>
    </dl>
  );
}
