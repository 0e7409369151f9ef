import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { subscriptionsCopy as copy } from "#app/copy/subscriptions.ts";
import { accountQuery, statusesQuery } from "#app/money/billing-queries.ts";
import { MoneyWait } from "#app/money/money-wait.tsx";
import { useFollowMoney } from "#app/money/use-follow-money.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { SubscriptionsPage } from "./subscriptions-page.tsx";
import "#app/money/money.css";
import "./subscriptions.css";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** The subscriptions of all platforms. For members it names whom to ask. */
export default function Subscriptions() {
  const { isOwner } = useShell().member;
  if (isOwner) return <OwnSubscriptions />;
  return (
    <NotePage title={copy.title} text={copy.memberText}>
      <Link className={buttonClass()} to="/">
        {copy.dashboard}
      </Link>
    </NotePage>
  );
}

function OwnSubscriptions() {
  const statuses = useQuery(statusesQuery);
  const account = useQuery(accountQuery);
  useFollowMoney();
  if (statuses.data && account.data)
    return <SubscriptionsPage statuses={statuses.data} account={account.data} />;
  return (
    <>
      <PageHeader title={copy.title} />
      <MoneyWait title={copy.loadFailed} reads={[statuses, account]} />
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
