import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { subscriptionsCopy as copy } from "#app/copy/account-pages.ts";
import { dateText } from "#app/format/dates.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import { useShell } from "#app/shell/use-shell.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** What each started platform is on; the frame has already read it. */
export default function Subscriptions() {
  const { platforms, member, now } = useShell();
  return (
    <>
      <PageHeader
        title={copy.title}
        keepActions
        actions={
          <>
            <Link className={buttonClass({ variant: "ghost" })} to="/payment-history">
              {copy.history}
            </Link>
            {member.isOwner && (
              <Link className={buttonClass({ variant: "outline" })} to="/checkout">
                {copy.change}
              </Link>
            )}
          </>
        }
      />
      {platforms.length === 0 ? (
        <div className="note-page">
          <p>{copy.none}</p>
          <Link className={buttonClass({ variant: "solid" })} to="/app-connector">
            {copy.connect}
          </Link>
        </div>
      ) : (
        <table className="data-table plan-table">
          <thead>
            <tr>
              {copy.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {platforms.map((platform) => (
              <PlanRow key={platform.id} platform={platform} timeZone={member.timeZone} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function PlanRow({
  platform: { id, label, plan, used },
  timeZone,
  now,
}: {
  platform: ShellPlatform;
  timeZone: string;
  now: number;
}) {
  const running = plan.plan === "trial" ? copy.trialPeriod : copy.active;
  return (
    <tr>
      <td>
        <Link className="row" to={`/platform/dashboard/${id}`}>
          <PlatformMark platform={id} />
          <span className="medium">{label}</span>
        </Link>
      </td>
      <td>{copy.plans[plan.plan]}</td>
      <td>
        <span className={plan.isActive ? "badge badge-ok" : "badge badge-bad"}>
          {plan.isActive ? running : copy.ended}
        </span>
      </td>
      <td className="mono" data-label={copy.columns[3]}>
        {copy.used(used, plan.itemLimit)}
      </td>
      <td className="mono" data-label={copy.columns[4]}>
        {plan.endsAt === null ? copy.open : dateText(plan.endsAt, timeZone, now)}
      </td>
    </tr>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
