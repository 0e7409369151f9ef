import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ErrorState } from "#app/components/error-state.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { checkoutCopy as copy } from "#app/copy/checkout.ts";
import { accountQuery, catalogueQuery, statusesQuery } from "#app/money/billing-queries.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import { CheckoutStepper } from "./checkout-stepper.tsx";
import "#app/money/money.css";
import "./checkout.css";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = {
  crumbs: () => [{ label: copy.subscriptions, to: "/subscriptions" }, { label: copy.title }],
};

/** The target of every buy, renew and upgrade button (spec B-033). Members are told whom to ask. */
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
  const all = [catalogue, statuses, account];
  const failed = all.find(({ error }) => error !== null);
  if (failed?.error)
    return (
      <ErrorState
        title={copy.loadFailed}
        what={failed.error.message}
        requestId={failed.error.requestId}
        actions={
          <Button
            onClick={() => void Promise.all(all.filter(({ error }) => error).map((each) => each.refetch()))}
          >
            {copy.tryAgain}
          </Button>
        }
      />
    );
  return (
    <div className="with-bill" aria-busy="true">
      <div>
        <CheckoutStepper now={1} />
        <span className="skeleton checkout-skeleton">&nbsp;</span>
      </div>
      <span className="skeleton checkout-skeleton">&nbsp;</span>
    </div>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
