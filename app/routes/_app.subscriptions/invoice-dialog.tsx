import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { subscriptionsCopy } from "#app/copy/subscriptions.ts";
import { type Invoice, latestInvoiceQuery } from "#app/money/billing-queries.ts";
import { correctionName, correctionWord, movesMoney } from "#app/money/correction-words.ts";
import { usd } from "#app/money/usd.ts";

const copy = subscriptionsCopy.invoice;

/** The latest invoice of a subscription: its lines, its sum, and the provider's own pages of it. */
export default function InvoiceDialog({
  isOpen,
  onClose,
  id,
  day,
}: {
  isOpen: boolean;
  onClose: () => void;
  /** The subscription's id. */
  id: string;
  day: (at: number) => string;
}) {
  const { data, error } = useQuery({ ...latestInvoiceQuery(id), enabled: isOpen });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      footer={
        data && (
          <>
            {data.hosted_invoice_url && (
              <a
                className={buttonClass()}
                href={data.hosted_invoice_url}
                target="_blank"
                rel="noreferrer noopener"
              >
                {copy.view}
              </a>
            )}
            {data.invoice_pdf && (
              <a
                className={buttonClass({ variant: "solid" })}
                href={data.invoice_pdf}
                target="_blank"
                rel="noreferrer noopener"
              >
                {copy.pdf}
              </a>
            )}
          </>
        )
      }
    >
      {error && <Callout tone="bad">{error.message}</Callout>}
      {!data && !error && <span className="skeleton invoice-skeleton">&nbsp;</span>}
      {data && (
        <>
          <dl className="facts">
            <dt>{copy.number}</dt>
            <dd className="mono">{data.number ?? data.id}</dd>
            <dt>{copy.date}</dt>
            <dd>{day(data.created * 1000)}</dd>
            <dt>{copy.status}</dt>
            <dd>{copy.statuses[data.status]}</dd>
          </dl>
          <dl className="invoice-lines">
            {data.lines.map(({ description, amount }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: -- the lines have no other identity
              <div key={at} className="invoice-lines__line">
                <dt>{description}</dt>
                <dd>{usd(amount)}</dd>
              </div>
            ))}
            {data.tax !== 0 && (
              <div className="invoice-lines__line">
                <dt>{copy.tax}</dt>
                <dd>{usd(data.tax)}</dd>
              </div>
            )}
            <div className="invoice-lines__line sum">
              <dt>{copy.total}</dt>
              <dd>{usd(data.total)}</dd>
            </div>
          </dl>
          {data.reverse_charge && <p className="meta">{copy.reverseCharge}</p>}
          {data.corrections.length > 0 && <Corrections corrections={data.corrections} day={day} />}
        </>
      )}
    </Dialog>
  );
}

/** Refunds, disputes and credit notes of an invoice. Its own sum stays as it was. */
export function Corrections({
  corrections,
  day,
}: {
  corrections: Invoice["corrections"];
  day: (at: number) => string;
}) {
  return (
    <>
      <h3>{copy.corrections}</h3>
      <dl className="invoice-lines">
        {corrections.map(({ kind, status, amount, created, number, pdf }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- the lines have no other identity
          <div key={at} className="invoice-lines__line">
            <dt>
              {correctionName(kind)}: {correctionWord(kind, status)}
              <small>
                {day(created * 1000)}
                {number !== null && pdf !== null && (
                  <>
                    {" "}
                    <a className="link" href={pdf} target="_blank" rel="noreferrer noopener">
                      {copy.paper(number)}
                    </a>
                  </>
                )}
              </small>
            </dt>
            <dd>{movesMoney(status) ? usd(-amount) : "–"}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
