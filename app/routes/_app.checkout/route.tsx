import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import { accountQuery, catalogueQuery, statusesQuery } from "#app/money/billing-queries.ts";
import { MoneyWait } from "#app/money/money-wait.tsx";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import "#app/money/money.css";
import "./checkout.css";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = {
  crumbs: () => [{ label: copy.subscriptions, to: "/subscriptions" }, { label: copy.title }],
};

/** The target of every buy, renew and upgrade button (spec B-033). For members it names whom to ask. */
export default function Checkout() {
  const { isOwner } = useShell().member;
  if (isOwner)
    return (
      <>
        <PageHeader title={copy.title} />
        <OwnCheckout />
      </>
    );
  return (
    <NotePage title={copy.title} text={copy.memberText}>
      <Link className={buttonClass()} to="/subscriptions">
        {copy.subscriptions}
      </Link>
    </NotePage>
  );
}

function OwnCheckout() {
  const catalogue = useQuery(catalogueQuery);
  const statuses = useQuery(statusesQuery);
  const account = useQuery(accountQuery);
  if (catalogue.data && statuses.data && account.data)
    return <CheckoutPage catalogue={catalogue.data} statuses={statuses.data} account={account.data} />;
  return <MoneyWait title={copy.loadFailed} reads={[catalogue, statuses, account]} />;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
