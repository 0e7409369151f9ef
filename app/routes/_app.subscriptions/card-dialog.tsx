import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useOnArrival } from "#app/api/use-on-arrival.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { notify } from "#app/components/toasts.ts";
import { checkoutCopy } from "#app/copy/checkout.ts";
import { subscriptionsCopy } from "#app/copy/subscriptions.ts";
import { type Account, accountQuery } from "#app/money/billing-queries.ts";
import { CardForm } from "#app/money/card-form.tsx";
import { CardLine } from "#app/money/card-line.tsx";
import { isUnpaid } from "#app/money/status-words.ts";
import { useCardForm } from "#app/money/use-card-form.ts";
import { saveCard } from "./save-card.ts";
import type { SubscriptionRow } from "./subscription-texts.ts";

const copy = subscriptionsCopy.card;

/**
 * Changes the card that renewals are paid with (spec B-066). The bank may ask to confirm it. What is open is paid with
 * it at once.
 */
export default function CardDialog({
  isOpen,
  onClose,
  account,
  rows,
}: {
  isOpen: boolean;
  onClose: () => void;
  account: Account;
  rows: readonly SubscriptionRow[];
}) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const opening = useRequest();
  const saving = useRequest();
  useOnArrival(
    () =>
      void opening.send(async () => {
        const { result } = await callApi("POST payments/stripe-create-setup-intent", {}, { isQuiet: true });
        setSecret(result.clientSecret);
      }),
    isOpen,
  );
  const form = useCardForm(account, { clientSecret: secret ?? "" }, secret === null ? "nothing" : "form");
  const due = rows.filter(({ subscription: { status } }) => isUnpaid(status));

  async function save() {
    const { stripe, elements } = form;
    if (!stripe || !elements) return;
    setProblem(null);
    const isDone = await saving.send(async () => {
      const saved = await saveCard({ call: callApi, stripe, elements }, due);
      if (saved.kind === "refused") return setProblem(saved.message);
      client.setQueryData(accountQuery.queryKey, (known) => known && { ...known, paymentMethod: saved.card });
      const [open] = saved.stillOpen;
      notify(open ? copy.stillOpen(open.label, open.message) : due.length > 0 ? copy.paid : copy.saved);
      onClose();
    });
    if (isDone) await client.invalidateQueries({ queryKey: ["money"] });
  }
  const refusal = problem ?? opening.refusal ?? saving.refusal;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      description={due.length > 0 ? `${copy.text} ${copy.dueText}` : copy.text}
      footer={
        <DialogButtons
          label={copy.save}
          isBusy={saving.isBusy}
          isOff={form.state !== "ready"}
          onConfirm={save}
          onClose={onClose}
        />
      }
    >
      <div className="stack card-dialog">
        {account.paymentMethod && (
          <p className="row between">
            <span className="soft">{copy.current}</span>
            <CardLine card={account.paymentMethod} />
          </p>
        )}
        <CardForm form={form} isBad={problem !== null} />
        <p className="field__hint">{checkoutCopy.pay.hint}</p>
        {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      </div>
    </Dialog>
  );
}
