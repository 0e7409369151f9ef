import { type FormEvent, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { alarmCopy } from "#app/copy/alarms.ts";
import type { AlarmLimits } from "#core/alarms/views.ts";

const copy = alarmCopy.limits;
const MOST = { percent: 100, count: 1_000_000 };

export type AlarmLimitsDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  itemId: string;
  limits: AlarmLimits;
  onSaved: (limits: AlarmLimits) => void;
};

/** Asks for the loss that raises an alarm for one item. */
export default function AlarmLimitsDialog({
  isOpen,
  onClose,
  itemId,
  limits,
  onSaved,
}: AlarmLimitsDialogProps) {
  const [percent, setPercent] = useState(String(limits.lostPercent));
  const [count, setCount] = useState(String(limits.lostCount));
  const { isBusy, refusal, send } = useRequest();
  const isPercent = isWithin(percent, MOST.percent);
  const isCount = isWithin(count, MOST.count);

  async function save(chosen: { lostPercent: number | null; lostCount: number | null }) {
    const isDone = await send(async () => {
      const input = { itemId, ...chosen };
      const { result: saved } = await callApi("PUT user/alarm-limits", input, { isQuiet: true });
      setPercent(String(saved.lostPercent));
      setCount(String(saved.lostCount));
      onSaved(saved);
    });
    if (!isDone) return;
    notify(copy.saved);
    onClose();
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPercent && isCount && !isBusy)
      void save({ lostPercent: Number(percent), lostCount: Number(count) });
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      description={copy.text}
      footer={
        <>
          <Button
            variant="ghost"
            isBusy={isBusy}
            onClick={() => void save({ lostPercent: null, lostCount: null })}
          >
            {copy.defaults}
          </Button>
          <Button
            variant="solid"
            type="submit"
            form="alarm-limits"
            isBusy={isBusy}
            aria-disabled={!(isPercent && isCount)}
          >
            {copy.save}
          </Button>
        </>
      }
    >
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <form id="alarm-limits" method="post" className="stack" onSubmit={submit}>
        <Field
          label={copy.percent}
          hint={copy.percentHint}
          errors={isPercent ? [] : [copy.percentError]}
          value={percent}
          inputMode="numeric"
          onChange={(event) => setPercent(event.target.value)}
        />
        <Field
          label={copy.count}
          hint={copy.countHint}
          errors={isCount ? [] : [copy.countError]}
          value={count}
          inputMode="numeric"
          onChange={(event) => setCount(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

const isWithin = (text: string, most: number) =>
  /^[0-9]{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
