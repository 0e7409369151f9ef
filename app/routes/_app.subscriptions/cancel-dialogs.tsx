import { callApi } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { notify } from "#app/components/toasts.ts";
import { subscriptionsCopy } from "#app/copy/subscriptions.ts";
import { canCancel } from "#app/money/status-words.ts";
import { cancelCalendar, type SubscriptionRow, titleOf, usedText } from "./subscription-texts.ts";
import { useMoneyChange } from "./use-money-change.ts";

type Props = { isOpen: boolean; onClose: () => void; day: (at: number) => string };

/** A calendar of what stops when. Its solid button keeps the plan (spec B-064, B-175). */
export function CancelDialog({ row, ...dialog }: Props & { row: SubscriptionRow }) {
  const copy = subscriptionsCopy.cancel;
  const { isBusy, refusal, send, show, refreshLater } = useMoneyChange();
  const what = titleOf(row);
  async function cancel() {
    const isDone = await send(async () => {
      const { result } = await callApi(
        "POST payments/stripe-cancel-subscription",
        { platform: row.platform },
        { isQuiet: true },
      );
      const end = result.ends ?? row.subscription.finishDateInMillisecond;
      show(row.platform, { isCancel: true, finishDateInMillisecond: end });
      if (end !== null) notify(copy.done(row.label, dialog.day(end)));
    });
    if (!isDone) return;
    refreshLater();
    dialog.onClose();
  }
  return (
    <Dialog
      isOpen={dialog.isOpen}
      onClose={dialog.onClose}
      title={copy.title(what)}
      description={copy.text(usedText(row))}
      size="m"
      footer={
        <>
          <Button variant="danger" isBusy={isBusy} onClick={cancel}>
            {copy.confirm}
          </Button>
          <Button variant="solid" onClick={dialog.onClose}>
            {copy.keep(what)}
          </Button>
        </>
      }
    >
      {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      <dl className="timeline">
        {cancelCalendar(row).map(({ word, at, what: event, note }) => (
          <div key={event} className="timeline__line">
            <dt>
              {word === "on" ? copy.on : copy.until}{" "}
              <span className="mono">{at === null ? "" : dialog.day(at)}</span>
            </dt>
            <dd>
              {event}
              <small>{note}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** Cancels every active subscription at the end of what is paid (spec B-063). */
export function CancelAllDialog({ rows, ...dialog }: Props & { rows: readonly SubscriptionRow[] }) {
  const copy = subscriptionsCopy.all;
  const { isBusy, refusal, send, show, refreshLater } = useMoneyChange();
  const active = rows.filter(({ subscription }) => subscription.id !== null && canCancel(subscription));
  async function cancelAll() {
    const isDone = await send(async () => {
      const { result } = await callApi("GET payments/stripe-cancel-all-subscriptions", {}, { isQuiet: true });
      for (const { platform, message } of result) if (message === null) show(platform, { isCancel: true });
      const refused = result.filter(({ message }) => message !== null);
      const names = refused.map(
        ({ platform, message }) =>
          `${rows.find((row) => row.platform === platform)?.label ?? platform} (${message})`,
      );
      notify(refused.length === 0 ? copy.done : copy.some(names.join(", ")));
    });
    if (!isDone) return;
    refreshLater();
    dialog.onClose();
  }
  return (
    <Dialog
      isOpen={dialog.isOpen}
      onClose={dialog.onClose}
      title={copy.title}
      description={copy.text}
      size="m"
      footer={
        <>
          <Button variant="danger" isBusy={isBusy} onClick={cancelAll}>
            {copy.confirm}
          </Button>
          <Button variant="solid" onClick={dialog.onClose}>
            {copy.keep}
          </Button>
        </>
      }
    >
      {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      <dl className="timeline">
        {active.map((row) => (
          <div key={row.platform} className="timeline__line">
            <dt>
              {subscriptionsCopy.cancel.on}{" "}
              <span className="mono">
                {row.subscription.finishDateInMillisecond === null
                  ? ""
                  : dialog.day(row.subscription.finishDateInMillisecond)}
              </span>
            </dt>
            <dd>
              {copy.stops(titleOf(row))}
              <small>{usedText(row)}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** Ends a subscription with a failed payment at once. */
export function EndDialog({ row, isOpen, onClose }: Props & { row: SubscriptionRow }) {
  const copy = subscriptionsCopy.end;
  const { isBusy, refusal, send, show, refreshLater } = useMoneyChange();
  async function end() {
    const isDone = await send(async () => {
      await callApi("POST payments/stripe-end-subscription", { platform: row.platform }, { isQuiet: true });
      show(row.platform, { status: "canceled" });
      notify(copy.done(row.label));
    });
    if (!isDone) return;
    refreshLater();
    onClose();
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title(titleOf(row))}
      footer={
        <>
          <Button variant="danger" isBusy={isBusy} onClick={end}>
            {copy.confirm}
          </Button>
          <Button variant="solid" onClick={onClose}>
            {subscriptionsCopy.cancel.keep(titleOf(row))}
          </Button>
        </>
      }
    >
      {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      <p>{copy.text}</p>
    </Dialog>
  );
}
