import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { homeCopy } from "#app/copy/home.ts";
import { fullDateText } from "#app/format/dates.ts";
import { isUnlimited } from "#app/money/unlimited.ts";
import { costText } from "#app/money/usd.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { Keeping } from "./queries.server.ts";

const copy = homeCopy.subscription;
const HOUR_MS = 3_600_000;

/** The plan of one platform: what it includes, how much of it is used, and until when (spec B-087). */
export function SubscriptionCard({
  platform: { id, plan, used: items, users },
  keeping,
}: {
  platform: ShellPlatform;
  keeping: Keeping | null;
}) {
  const { member } = useShell();
  const isRestricted = useRestricted();
  const isTrial = plan.plan === "trial";
  const used = users === undefined ? items : (users ?? 0);
  const share = plan.itemLimit === 0 ? 0 : Math.min(100, (used / plan.itemLimit) * 100);
  const running = keeping?.running ?? null;
  const cost = member.isOwner ? costOf(plan, running) : null;
  const endsAt = running?.renewsAt ?? plan.endsAt;
  const endLabel = isTrial
    ? copy.trialEnds
    : running?.renewsAt != null
      ? copy.renews
      : endsAt === null
        ? copy.runs
        : copy.ends;
  return (
    <div className="sub-card">
      <p className="block-label">
        <span>{copy.label}</span>
        <PlanBadge isActive={plan.isActive} isTrial={isTrial} />
      </p>
      <p className="sub-card__plan row between">
        <span>{copy.plans[plan.plan]}</span>
        {cost !== null && <span className="sub-card__cost">{cost}</span>}
      </p>
      <div className="usage">
        <div className="progress usage__bar" aria-hidden>
          <i style={{ width: `${share}%` }} />
        </div>
        <p className="meta usage__text">
          {isUnlimited(id, plan.itemLimit) ? (
            <span>{users === null ? copy.unlimitedUsers : copy.unlimited(used)}</span>
          ) : users === null ? (
            <span>{copy.notCounted(plan.itemLimit)}</span>
          ) : (
            <>
              <span>{copy.used(used, plan.itemLimit, users === undefined ? "items" : "users")}</span>
              <span>{copy.left(Math.max(0, plan.itemLimit - used))}</span>
            </>
          )}
        </p>
      </div>
      <dl>
        <dt>{endLabel}</dt>
        <dd>{endsAt === null ? copy.untilCancelled : fullDateText(endsAt, member.timeZone)}</dd>
        {keeping && (
          <>
            <dt>{copy.kept}</dt>
            <dd>{copy.keeping(keeping.retentionDays, Math.round(keeping.periodMs / HOUR_MS))}</dd>
          </>
        )}
      </dl>
      {member.isOwner && !isRestricted && (
        <Link
          className={buttonClass({ variant: isTrial || !plan.isActive ? "soft" : "outline", size: "s" })}
          to="/checkout"
          onClick={() => rememberCheckout(id)}
        >
          {isTrial ? copy.subscribe : plan.isActive ? copy.edit : copy.renew}
        </Link>
      )}
    </div>
  );
}

/** What the plan costs, as the subscriptions page writes it; null without a running subscription. */
function costOf({ plan, isActive }: ShellPlatform["plan"], running: Keeping["running"]): string | null {
  if (plan === "trial") return isActive ? copy.free : null;
  return running?.cost ? costText(running.cost.cents / 100, running.cost.period === "year") : null;
}

function PlanBadge({ isActive, isTrial }: { isActive: boolean; isTrial: boolean }) {
  if (!isActive) return <span className="badge badge-bad">{copy.ended}</span>;
  return isTrial ? (
    <span className="badge badge-warn">{copy.trialPeriod}</span>
  ) : (
    <span className="badge badge-ok">{copy.active}</span>
  );
}
