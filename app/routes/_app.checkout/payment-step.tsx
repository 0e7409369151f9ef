import { Lock, Receipt, Timer } from "lucide-react";
import { countryName } from "#app/company/country-name.ts";
import { TaxStatus } from "#app/company/tax-status.tsx";
import { Button } from "#app/components/button.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import type { Account, Card } from "#app/money/billing-queries.ts";
import { CardForm } from "#app/money/card-form.tsx";
import { CardLine, expiryText } from "#app/money/card-line.tsx";
import type { CardForm as Form } from "#app/money/use-card-form.ts";
import { labelOf } from "./app-labels.ts";
import type { Purchase } from "./use-purchase.ts";

const copy = checkoutCopy.pay;

/** Step 3: the card, whom the invoice goes to, and what happens next. */
export function PaymentStep({
  account,
  form,
  isOnFile,
  onFile,
  purchase,
  onChangeCompany,
}: {
  account: Account;
  form: Form;
  /** Pays with the card on file. */
  isOnFile: boolean;
  onFile: (isOnFile: boolean) => void;
  purchase: Purchase;
  onChangeCompany: () => void;
}) {
  const { paymentMethod: card } = account;
  const isBad = purchase.open.length > 0 || purchase.cardMessage !== null;
  return (
    <>
      <OpenPayments purchase={purchase} />
      <h2 className="checkout-title">{copy.title}</h2>
      {card && <CardChoice card={card} isOnFile={isOnFile} onFile={onFile} />}
      {!isOnFile && (
        <>
          <CardForm form={form} isBad={isBad} />
          <p className="field__hint card-form__hint">{copy.hint}</p>
        </>
      )}
      {purchase.cardMessage !== null && (
        <p className="field__error card-form__error" role="alert">
          <span>{purchase.cardMessage}</span>
        </p>
      )}
      <InvoiceTo account={account} onChange={onChangeCompany} />
      <section className="checkout-part">
        <h3>{copy.next}</h3>
        <ul className="stack checkout-next">
          {[Lock, Timer, Receipt].map((Icon, at) => (
            <li key={copy.nextLines[at]} className="row">
              <Icon className="icon-s" aria-hidden />
              <span>{copy.nextLines[at]}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** What was refused, in the bank's words; what was not charged; and what to do. */
function OpenPayments({ purchase: { open, paid } }: { purchase: Purchase }) {
  if (open.length === 0) return null;
  const names = (platforms: readonly string[]) => platforms.map(labelOf).join(", ");
  return (
    <div className="error-note" role="alert">
      <p>
        <b>{copy.failedTitle}</b>
      </p>
      {open.map(({ platform, message }) => (
        <p key={platform}>{open.length > 1 ? `${labelOf(platform)}: ${message}` : message}</p>
      ))}
      <p>
        <strong>
          {copy.nothingCharged(names(open.map(({ platform }) => platform)))}
          {paid.length > 0 && ` ${copy.paidApps(names(paid))}`}
        </strong>
      </p>
      <p className="meta">{copy.enterAgain}</p>
    </div>
  );
}

function CardChoice({
  card,
  isOnFile,
  onFile,
}: {
  card: Card;
  isOnFile: boolean;
  onFile: (isOnFile: boolean) => void;
}) {
  return (
    <fieldset className="card-choice">
      <legend className="sr">{copy.choice}</legend>
      <label className="choice">
        <input type="radio" name="card" checked={isOnFile} onChange={() => onFile(true)} />
        <span className="choice__head">
          {copy.onFile}
          <span className="radio" />
        </span>
        <span className="row between">
          <CardLine card={card} />
          <span className="meta">{expiryText(card)}</span>
        </span>
      </label>
      <label className="choice">
        <input type="radio" name="card" checked={!isOnFile} onChange={() => onFile(false)} />
        <span className="choice__head">
          {copy.otherCard}
          <span className="radio" />
        </span>
      </label>
    </fieldset>
  );
}

function InvoiceTo({ account: { company }, onChange }: { account: Account; onChange: () => void }) {
  if (!company) return null;
  const { name, address } = company;
  const tax = company.tax_details.at(-1);
  const town = [address.postal_code, address.city].filter(Boolean).join(" ");
  const lines = [name, address.line1, address.line2, town, address.country && countryName(address.country)];
  return (
    <section className="checkout-part">
      <h3 className="row">
        {copy.invoiceTo}
        <Button size="s" variant="ghost" onClick={onChange}>
          {copy.change}
        </Button>
      </h3>
      <p>{lines.filter(Boolean).join(", ")}</p>
      {tax && (
        <p className="row">
          <span className="mono-meta">{tax.value}</span>
          <TaxStatus status={tax.status} />
        </p>
      )}
      {company.reverse_charge && <p className="meta">{copy.reverseCharge}</p>}
    </section>
  );
}
