import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { subscriptionsCopy as copy } from "#app/copy/account-pages.ts";
import { dateText } from "#app/format/dates.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import type { ShellPlatform, ShellView } from "#app/shell/shell-view.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** The plan of every started platform, from the shell's data. */
export default function Subscriptions() {
  const { platforms, member, now } = useShell();
  return (
    <>
      <PageHeader
        title={copy.title}
        keepActions
        actions={
          <Link className={buttonClass({ variant: "ghost" })} to="/payment-history">
            {copy.history}
          </Link>
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
              {member.isOwner && <th />}
            </tr>
          </thead>
          <tbody>
            {platforms.map((platform) => (
              <PlanRow key={platform.id} platform={platform} member={member} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function PlanRow({
  platform,
  member: { isOwner, timeZone },
  now,
}: {
  platform: ShellPlatform;
  member: ShellView["member"];
  now: number;
}) {
  const { id, label, plan, used } = platform;
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
      {isOwner && (
        <td className="plan-edit">
          <EditSubscription platform={platform} />
        </td>
      )}
    </tr>
  );
}

/**
 * Links to the checkout of one platform. Disabled above the number of items that an owner can change without us (spec
 * P-451 to P-455).
 */
function EditSubscription({ platform: { id, plan, used } }: { platform: ShellPlatform }) {
  const most = descriptors.find((each) => each.id === id)?.limits.editableItems ?? 0;
  if (Math.max(used, plan.itemLimit) > most) {
    return (
      <Button size="s" reason={copy.tooLarge(most)}>
        {copy.edit}
      </Button>
    );
  }
  return (
    <Link className={buttonClass({ size: "s" })} to="/checkout" onClick={() => rememberCheckout(id)}>
      {copy.edit}
    </Link>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
