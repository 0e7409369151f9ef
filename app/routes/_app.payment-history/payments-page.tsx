import { Link, useSearchParams } from "@remix-run/react";
import { ArrowLeft, Download } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { paymentsCopy as copy } from "#app/copy/payments.ts";
import { fullDateText } from "#app/format/dates.ts";
import type { PaymentRow } from "#app/money/billing-queries.ts";
import { usd } from "#app/money/usd.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { csvOf, payableRows, sumsOf, yearOf, yearsOf } from "./payment-rows.ts";
import { PaymentTable } from "./payment-table.tsx";

const SIZES = [10, 25, 50] as const;

/** All payments, with filters, sums and a file (spec B-070 to B-076). The platform is in the URL. */
export function PaymentsPage({ payments, platform }: { payments: PaymentRow[]; platform: string | null }) {
  const { timeZone } = useShell().member;
  const [, setSearch] = useSearchParams();
  const [year, setYear] = useState<number | null>(null);
  const [page, setPage] = useState(0);
  const [perPage, setPerPage] = useState<number>(SIZES[0]);
  const rows = year === null ? payments : payments.filter((row) => yearOf(row) === year);
  const first = Math.min(page, Math.max(0, Math.ceil(rows.length / perPage) - 1));
  const oldest = payments.at(-1);
  const isFiltered = platform !== null || year !== null;
  const actions = (
    <>
      <Button aria-disabled={rows.length === 0} onClick={() => download(rows, year)}>
        <Download className="icon-s" aria-hidden />
        {copy.csv(year)}
      </Button>
      <Link
        className={buttonClass({ variant: "solid" })}
        to="/checkout"
        onClick={() => platform !== null && rememberCheckout(platform)}
      >
        {copy.edit}
      </Link>
    </>
  );
  return (
    <>
      <Link className="back-link" to="/subscriptions">
        <ArrowLeft className="icon-s" aria-hidden />
        {copy.back}
      </Link>
      <PageHeader
        folio={oldest ? [copy.folio(payments.length, fullDateText(oldest.created * 1000, timeZone))] : []}
        title={copy.title}
        keepActions
        actions={actions}
      />
      {payments.length === 0 && !isFiltered ? (
        <div className="note-page">
          <p>{copy.none}</p>
        </div>
      ) : (
        <>
          <Filters
            {...{ platform, year, perPage, payments }}
            onPlatform={(next) => {
              setPage(0);
              setSearch(next === "" ? {} : { platform: next });
            }}
            onYear={(next) => {
              setPage(0);
              setYear(next);
            }}
            onPerPage={(next) => {
              setPage(0);
              setPerPage(next);
            }}
          />
          <Sums rows={rows} />
          {rows.length === 0 ? (
            <div className="note-page">
              <p>{copy.noneHere}</p>
              <Button
                onClick={() => {
                  setYear(null);
                  setSearch({});
                }}
              >
                {copy.showAll}
              </Button>
            </div>
          ) : (
            <>
              <PaymentTable
                rows={rows.slice(first * perPage, (first + 1) * perPage)}
                payable={payableRows(payments)}
                timeZone={timeZone}
              />
              <Pagination page={first} perPage={perPage} total={rows.length} onPage={setPage} />
            </>
          )}
        </>
      )}
    </>
  );
}

function Filters({
  platform,
  year,
  perPage,
  payments,
  onPlatform,
  onYear,
  onPerPage,
}: {
  platform: string | null;
  year: number | null;
  perPage: number;
  payments: readonly PaymentRow[];
  onPlatform: (platform: string) => void;
  onYear: (year: number | null) => void;
  onPerPage: (rows: number) => void;
}) {
  return (
    <div className="payment-filters">
      <SelectField
        label={copy.platform}
        value={platform ?? ""}
        onChange={({ target }) => onPlatform(target.value)}
      >
        <option value="">{copy.allPlatforms}</option>
        {OFFERED_PLATFORMS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={copy.year}
        value={year ?? ""}
        onChange={({ target }) => onYear(target.value === "" ? null : Number(target.value))}
      >
        <option value="">{copy.allYears}</option>
        {yearsOf(payments).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={copy.perPage}
        value={perPage}
        onChange={({ target }) => onPerPage(Number(target.value))}
      >
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {copy.perPageOption(size)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function Sums({ rows }: { rows: readonly PaymentRow[] }) {
  const sums = sumsOf(rows);
  const { before, paid, between, tax } = copy.sum(usd(sums.paid), usd(sums.tax));
  return (
    <p className="meta payment-sums" role="status">
      {before}
      <b className="mono medium">{paid}</b>
      {between}
      <b className="mono medium">{tax}</b>
    </p>
  );
}

/** Saves the shown payments as a file. */
function download(rows: readonly PaymentRow[], year: number | null) {
  if (rows.length === 0) return;
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = copy.file(year);
  link.click();
  URL.revokeObjectURL(url);
}
