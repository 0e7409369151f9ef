import { Link } from "@remix-run/react";
import { Check, CircleX, Clock, Download, ReceiptText, RotateCcw, Scale } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { paymentsCopy as copy } from "#app/copy/payments.ts";
import { fullDateText } from "#app/format/dates.ts";
import type { PaymentRow } from "#app/money/billing-queries.ts";
import { moneyText } from "#app/money/usd.ts";
import {
  amountOf,
  type CorrectionRow,
  correctionWords,
  isCorrection,
  type PaymentWord,
  paymentWord,
} from "./payment-rows.ts";

const COLUMNS = ["date", "product", "amount", "status", "card", "receipt", "invoice"] as const;

/** The payments of one page (spec B-071, B-076). */
export function PaymentTable({
  rows,
  payable,
  timeZone,
}: {
  rows: readonly PaymentRow[];
  /** Those that can be paid now. */
  payable: ReadonlySet<PaymentRow>;
  timeZone: string;
}) {
  return (
    <table className="data-table payment-table">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={`t-${column}`}>
              {copy.columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- payments have no id, and a page shows them in one order
          <Payment key={at} row={row} isPayable={payable.has(row)} timeZone={timeZone} />
        ))}
      </tbody>
    </table>
  );
}

function Payment({ row, isPayable, timeZone }: { row: PaymentRow; isPayable: boolean; timeZone: string }) {
  const date = fullDateText(row.created * 1000, timeZone);
  const number = row.invoice_number ?? row.invoice_id;
  return (
    <tr>
      <td className="t-date mono ledger-date">{date}</td>
      <td className="t-product">
        <span className="row">
          {row.platform !== null && <PlatformMark platform={row.platform} />}
          <span className="clip">{row.description ?? row.product_id}</span>
        </span>
      </td>
      <td className="t-amount num">
        {amountText(row)}
        {!isCorrection(row) && row.amount_refunded > 0 && (
          <span className="meta payment-refund">
            {copy.refunded(moneyText(row.amount_refunded, row.currency))}
          </span>
        )}
      </td>
      <td className="t-status">
        {isCorrection(row) ? <CorrectionState row={row} /> : <State word={paymentWord(row)} />}
      </td>
      <td className="t-card mono-meta">
        {row.last4 === null ? (
          <span className="meta">{row.paid && !isCorrection(row) ? copy.noCard : ""}</span>
        ) : (
          <>
            <span aria-hidden>•••• </span>
            {row.last4}
          </>
        )}
      </td>
      <td className="t-receipt">
        {row.receipt_url !== null && (
          <a
            className="link"
            href={row.receipt_url}
            target="_blank"
            rel="noreferrer noopener"
            aria-label={copy.receiptOf(date)}
          >
            {copy.columns.receipt}
          </a>
        )}
      </td>
      <td className="t-invoice">
        <span className="row between">
          <span className="mono-meta clip">{number}</span>
          {isPayable ? (
            <Link className={buttonClass({ size: "s" })} to="/subscriptions?card=change" reloadDocument>
              {copy.payNow}
            </Link>
          ) : (
            row.invoice_pdf !== null && (
              <a
                className={buttonClass({ size: "s" })}
                href={row.invoice_pdf}
                target="_blank"
                rel="noreferrer noopener"
                aria-label={copy.pdfOf(number ?? date)}
              >
                <Download className="icon-s" aria-hidden />
                {copy.pdf}
              </a>
            )
          )}
        </span>
      </td>
    </tr>
  );
}

/** A refused payment has moved no money; where its sum is not known, none is shown. */
function amountText(row: PaymentRow): string {
  const amount = amountOf(row);
  return amount === 0 && !row.paid ? "–" : moneyText(amount, row.currency);
}

const MARKS = {
  paid: <Check className="ok-t" aria-hidden />,
  refunded: <RotateCcw className="soft" aria-hidden />,
  pending: <Clock className="soft" aria-hidden />,
  open: <Clock className="soft" aria-hidden />,
  cancelled: <CircleX className="soft" aria-hidden />,
} as const;

/** What happened to money that had been paid. A dispute that is open or lost needs attention. */
function CorrectionState({ row }: { row: CorrectionRow }) {
  const isBad = row.kind === "dispute" && (row.status === "open" || row.status === "lost");
  const Mark = row.kind === "dispute" ? Scale : row.kind === "refund" ? RotateCcw : ReceiptText;
  const { name, word } = correctionWords(row);
  return (
    <>
      <span className={isBad ? "badge badge-bad" : "status-badge"}>
        <Mark className={isBad ? undefined : "soft"} aria-hidden />
        {name}
      </span>{" "}
      <span className="meta payment-word">{word}</span>
    </>
  );
}

/** Good news is quiet; only a refused payment has a tint. */
function State({ word }: { word: PaymentWord }) {
  if (word === "declined")
    return (
      <span className="badge badge-bad">
        <CircleX aria-hidden />
        {copy.words.declined}
      </span>
    );
  return (
    <span className="status-badge">
      {MARKS[word]}
      {copy.words[word]}
    </span>
  );
}
