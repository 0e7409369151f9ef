import { Link } from "@remix-run/react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { unitWords } from "#app/copy/checkout.ts";
import { subscriptionsCopy as copy } from "#app/copy/subscriptions.ts";
import { cancelRefusal, isEnded, isUnpaid } from "#app/money/status-words.ts";
import { countsUsers, isUnlimited } from "#app/money/unlimited.ts";
import { costText } from "#app/money/usd.ts";
import { usedOf } from "#app/money/used-of.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { StatusChip } from "./status-chip.tsx";
import { rightAfter, type SubscriptionRow, whenTexts } from "./subscription-texts.ts";

/** What can be done with a line; each opens its dialog or sends its call. */
export type LineActions = {
  cancel: (row: SubscriptionRow) => void;
  keep: (row: SubscriptionRow) => void;
  end: (row: SubscriptionRow) => void;
  changeCard: () => void;
  showInvoice: (row: SubscriptionRow) => void;
  /** The platform whose change is on its way. */
  busy: string | null;
};

/** One app: its state, cost and plan, what is used of it, what happens when, and what can be done. */
export function SubscriptionLine({
  row,
  actions,
  day,
}: {
  row: SubscriptionRow;
  actions: LineActions;
  day: (at: number) => string;
}) {
  const { platform, label, subscription } = row;
  const { plan, isInvoiceRequested, latestInvoiceId } = subscription;
  const { what, note } = whenTexts(row, day);
  return (
    <section className="sub-row" aria-labelledby={`sub-${platform}`}>
      <div>
        <h3 id={`sub-${platform}`}>
          <PlatformMark platform={platform} />
          {label}
        </h3>
        <p className="sub-row__chip">
          <StatusChip subscription={subscription} />
        </p>
      </div>
      <div className="sub-row__money">
        <b>{costOf(row)}</b>
        <span className="meta">{plan ? copy.plans[plan] : ""}</span>
        {isInvoiceRequested && <span className="meta">{copy.invoiced}</span>}
      </div>
      <div className="sub-row__use">
        <Use row={row} />
      </div>
      <div className="sub-row__when">
        <b>{what}</b>
        <span className="meta">{note}</span>
        {latestInvoiceId !== null && (
          <button type="button" className="link meta" onClick={() => actions.showInvoice(row)}>
            {copy.actions.invoice}
          </button>
        )}
      </div>
      <div className="sub-row__acts">
        <Actions row={row} actions={actions} />
      </div>
      <Notes row={row} day={day} />
    </section>
  );
}

function costOf({ subscription: { cost, isAnnual, type, status } }: SubscriptionRow): string {
  if (type === "trial") return status === "trialing" ? "$0" : copy.noCost;
  return isEnded(status) ? copy.noCost : (costText(cost, isAnnual) ?? copy.noCost);
}

/** How much of the plan is used (spec B-062). */
function Use({ row }: { row: SubscriptionRow }) {
  const { platform, label, status, subscription } = row;
  const used = usedOf(status);
  const limit = subscription.planQuantity;
  if (used === null) return <p className="soft sub-row__stopped">{copy.use.notCounted(limit)}</p>;
  if (isEnded(subscription.status) || limit === 0)
    return (
      <p className="soft sub-row__stopped">
        {copy.use.stopped(used, unitWords(platform)[used === 1 ? 0 : 1])}
      </p>
    );
  if (isUnlimited(platform, limit))
    return (
      <p className="soft sub-row__stopped">
        {copy.use.unlimited(used, unitWords(platform)[used === 1 ? 0 : 1])}
      </p>
    );
  const width = Math.min(100, (used / limit) * 100);
  return (
    <div className="usage">
      <div className="progress progress-accent" aria-hidden>
        <i style={{ width: `${width}%` }} />
      </div>
      <p className="meta row between">
        <span>
          <span className="sr">{copy.use.bar(label)} </span>
          {copy.use.of(used, limit, unitWords(platform)[limit === 1 ? 0 : 1])}
        </span>
        <span>
          {countsUsers(platform) && used > limit
            ? copy.use.onRenewal(used - limit)
            : copy.use.left(limit - used)}
        </span>
      </p>
    </div>
  );
}

function Actions({ row, actions }: { row: SubscriptionRow; actions: LineActions }) {
  const { platform, subscription } = row;
  const { status, isCancel } = subscription;
  const isBusy = actions.busy === platform;
  if (isUnpaid(status))
    return (
      <>
        <Button onClick={actions.changeCard}>{copy.actions.update}</Button>
        <Button variant="ghost" onClick={() => actions.end(row)}>
          {copy.actions.end}
        </Button>
        <CancelButton row={row} actions={actions} />
      </>
    );
  if (status === "paused")
    return (
      <Link className={buttonClass()} to="/contact">
        {copy.actions.contact}
      </Link>
    );
  if (status === "active" && subscription.moneyBack !== null)
    return (
      <>
        <Button onClick={() => actions.end(row)}>{copy.actions.end}</Button>
        <CancelButton row={row} actions={actions} />
      </>
    );
  if (status === "active" && isCancel)
    return (
      <>
        <Button isBusy={isBusy} onClick={() => actions.keep(row)}>
          {copy.actions.keep}
        </Button>
        <CancelButton row={row} actions={actions} />
      </>
    );
  if (status === "active")
    return (
      <>
        <EditButton row={row} />
        {subscription.id !== null && <CancelButton row={row} actions={actions} />}
      </>
    );
  if (status === "trialing")
    return (
      <>
        <ToCheckout platform={platform} variant="soft" text={copy.actions.subscribe} />
        <CancelButton row={row} actions={actions} />
      </>
    );
  return (
    <ToCheckout platform={platform} text={status === "incomplete" ? copy.actions.pay : copy.actions.again} />
  );
}

/** Cancels an active subscription. Off with its reason for others (spec B-172 to B-174). */
function CancelButton({ row, actions }: { row: SubscriptionRow; actions: LineActions }) {
  const refusal = cancelRefusal(row.subscription);
  return (
    <Button
      variant="ghost"
      reason={refusal && copy.actions.cancelRefusals[refusal]}
      onClick={() => actions.cancel(row)}
    >
      {copy.actions.cancel}
    </Button>
  );
}

/** Goes to the checkout. Off above what an owner can change without us (spec P-451 to P-455). */
function EditButton({ row: { platform, status, subscription } }: { row: SubscriptionRow }) {
  if (subscription.isDisputed) return <Button reason={copy.actions.disputed}>{copy.actions.edit}</Button>;
  const most = descriptors.find(({ id }) => id === platform)?.limits.editableItems;
  if (most !== undefined && Math.max(usedOf(status) ?? 0, subscription.quantity) > most)
    return (
      <Button reason={copy.actions.tooLarge(most, countsUsers(platform) ? "users" : "items")}>
        {copy.actions.edit}
      </Button>
    );
  return <ToCheckout platform={platform} text={copy.actions.edit} />;
}

function ToCheckout({
  platform,
  text,
  variant = "outline",
}: {
  platform: string;
  text: string;
  variant?: "outline" | "soft";
}) {
  return (
    <Link className={buttonClass({ variant })} to="/checkout" onClick={() => rememberCheckout(platform)}>
      {text}
    </Link>
  );
}

/** A failed payment, and a change that waits for its payment. */
function Notes({ row, day }: { row: SubscriptionRow; day: (at: number) => string }) {
  const { status, nextAttempt, rightEnds, pending, moneyBack, isDisputed } = row.subscription;
  const trialEnd = rightAfter(row.subscription);
  if (status === "active" && moneyBack !== null)
    return (
      <div className="sub-row__note error-note">
        <p>
          <b>{copy.returned.title(row.label)}</b>
        </p>
        <p className="meta">
          {trialEnd === null ? copy.returned.stopped(day(moneyBack)) : copy.returned.trial(day(trialEnd))}{" "}
          {copy.returned.end}
        </p>
      </div>
    );
  if (isUnpaid(status))
    return (
      <div className="sub-row__note error-note">
        <p>
          <b>{copy.pastDue.title(row.label)}</b>
        </p>
        <p className="meta">
          {status === "unpaid"
            ? copy.pastDue.unpaid
            : [
                nextAttempt !== null && copy.pastDue.next(day(nextAttempt)),
                rightEnds !== null && copy.pastDue.stops(day(rightEnds)),
              ]
                .filter(Boolean)
                .join(" ")}
        </p>
      </div>
    );
  if (isDisputed && !isEnded(status)) return <p className="sub-row__note meta">{copy.disputed}</p>;
  if (pending === null) return null;
  return <p className="sub-row__note meta">{copy.when.pending(pending.quantity, day(pending.expires))}</p>;
}
