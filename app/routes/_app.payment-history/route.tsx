import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useSearchParams } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { paymentsCopy as copy } from "#app/copy/payments.ts";
import { paymentsQuery } from "#app/money/billing-queries.ts";
import { MoneyWait } from "#app/money/money-wait.tsx";
import { useFollowMoney } from "#app/money/use-follow-money.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { PaymentsPage } from "./payments-page.tsx";
import "#app/money/money.css";
import "./payments.css";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = {
  crumbs: () => [{ label: copy.subscriptions, to: "/subscriptions" }, { label: copy.title }],
};

/** The payment history, also at the shorter path (spec B-069). For members it names whom to ask. */
export default function PaymentHistory() {
  const { isOwner } = useShell().member;
  if (isOwner) return <OwnPayments />;
  return (
    <NotePage title={copy.title} text={copy.memberText}>
      <Link className={buttonClass()} to="/subscriptions">
        {copy.back}
      </Link>
    </NotePage>
  );
}

function OwnPayments() {
  const [search] = useSearchParams();
  const platform = OFFERED_PLATFORMS.find(({ id }) => id === search.get("platform"))?.id ?? null;
  const payments = useQuery(paymentsQuery(platform));
  useFollowMoney();
  if (payments.data) return <PaymentsPage payments={payments.data} platform={platform} />;
  return (
    <>
      <PageHeader title={copy.title} />
      <MoneyWait title={copy.loadFailed} reads={[payments]} />
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
