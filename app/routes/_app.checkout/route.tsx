import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { checkoutCopy as copy } from "#app/copy/account-pages.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/**
 * The target of every buy, renew and upgrade button: explains how to get a subscription. Members are told whom to ask.
 */
export default function Checkout() {
  const { isOwner } = useShell().member;
  return (
    <NotePage title={copy.title} text={isOwner ? copy.text : copy.memberText}>
      {isOwner && (
        <Link className={buttonClass({ variant: "solid" })} to="/contact">
          {copy.contact}
        </Link>
      )}
      <Link className={buttonClass({ variant: isOwner ? "ghost" : "outline" })} to="/subscriptions">
        {copy.back}
      </Link>
    </NotePage>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
