import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Check, CircleX, Clock } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import { regionNames } from "#app/copy/regions.ts";
import { countText } from "#app/format/counts.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { type HomeAccount, homeOf } from "./queries.server.ts";

export const meta: MetaFunction = () => [{ title: "Dashboard · Holdfast" }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => homeOf(context, request);

export default function Home() {
  const { accounts } = useLoaderData<typeof loader>();
  const isRestricted = useRestricted();
  return (
    <>
      <PageHeader
        title={copy.title}
        keepActions
        actions={
          !isRestricted && (
            <Link className={buttonClass({ variant: "outline" })} to="/app-connector">
              {copy.add}
            </Link>
          )
        }
      />
      {accounts.length === 0 && <p className="note-page">{copy.nothing}</p>}
      <ul className="platform-lines">
        {accounts.map((account) => (
          <AccountLine key={`${account.platform} ${account.connectionId}`} account={account} />
        ))}
      </ul>
    </>
  );
}

function AccountLine({ account }: { account: HomeAccount }) {
  const isRestricted = useRestricted();
  /* Only the owner can reconnect (spec P-309). */
  const { isOwner } = useShell().member;
  const to = `/platform/dashboard/${account.platform}${account.connectionId === null ? "" : `?account=${account.connectionId}`}`;
  return (
    <li>
      <PlatformMark platform={account.platform} size="l" />
      <div>
        <h2>
          <Link to={to}>{account.label}</Link>
        </h2>
        <p className="meta">
          {account.accountName} · {regionNames[account.region as keyof typeof regionNames]} ·{" "}
          {account.total === 0
            ? copy.empty
            : copy.protectedItems(countText(account.total, account.one, account.many))}
        </p>
      </div>
      <span>
        <AccountHealth account={account} />
      </span>
      {account.isRevoked && isOwner && !isRestricted ? (
        <Link
          className={buttonClass({ variant: "outline" })}
          to={`/app-connector?platform=${account.platform}&step=authorize${account.connectionId === null ? "" : `&account=${account.connectionId}`}`}
        >
          {copy.reconnect}
        </Link>
      ) : (
        <Link className={buttonClass({ variant: "outline" })} to={to}>
          {copy.open(account.many)}
          {account.connectionId !== null && <span className="sr"> {copy.of(account.accountName)}</span>}
        </Link>
      )}
    </li>
  );
}

function AccountHealth({ account: { isRevoked, total, counts } }: { account: HomeAccount }) {
  if (isRevoked || counts.failed > 0) {
    return (
      <span className="badge badge-bad">
        <CircleX aria-hidden />
        {isRevoked ? copy.reconnect : copy.failed(counts.failed)}
      </span>
    );
  }
  if (counts.stale > 0) {
    return (
      <span className="badge badge-warn">
        <Clock aria-hidden />
        {copy.stale(counts.stale)}
      </span>
    );
  }
  if (counts.never > 0) {
    return (
      <span className="status-badge soft">
        <Clock aria-hidden />
        {copy.never(counts.never)}
      </span>
    );
  }
  if (total === 0) return null;
  return (
    <span className="status-badge">
      <Check className="ok-t" aria-hidden />
      {copy.quiet}
    </span>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
