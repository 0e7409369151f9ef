import { type FormEvent, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { accountCopy } from "#app/copy/accounts.ts";
import { confirmCode, sendCode } from "./account-calls.ts";
import { type AccountNeed, needOf } from "./account-failure.ts";

const copy = accountCopy.code;
const DIGITS = 6;

/** Asks for the code that confirms an account, and can send another one (spec P-209 to P-211, P-419). */
export default function CodeDialog({
  isOpen,
  onClose,
  account,
  accountName,
  onNeed,
  onConfirmed,
}: {
  isOpen: boolean;
  onClose: () => void;
  account: CalledAccount;
  accountName: string;
  /** Called when the code was rejected because something else is missing. */
  onNeed: (need: AccountNeed) => void;
  onConfirmed: () => void;
}) {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"confirm" | "send" | null>(null);
  const [failure, setFailure] = useState<ApiError | null>(null);

  async function during(what: "confirm" | "send", work: () => Promise<void>) {
    setBusy(what);
    setFailure(null);
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const need = needOf(cause);
      if (need?.kind === "app") onNeed(need);
      else setFailure(cause);
    }
    setBusy(null);
  }
  const confirm = () =>
    during("confirm", async () => {
      await confirmCode(account, code);
      notify(copy.confirmed);
      setCode("");
      onClose();
      onConfirmed();
    });
  const again = () => during("send", async () => notify(copy.sent(await sendCode(account))));
  const isWhole = code.length === DIGITS;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole && busy === null) void confirm();
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      description={copy.text(accountName)}
      footer={
        <>
          <Button variant="ghost" isBusy={busy === "send"} onClick={() => void again()}>
            {copy.send}
          </Button>
          <Button
            variant="solid"
            isBusy={busy === "confirm"}
            aria-disabled={!isWhole}
            onClick={() => void confirm()}
          >
            {copy.confirm}
          </Button>
        </>
      }
    >
      {/* An account that is still being set up can be confirmed: the code has been sent (spec P-419). */}
      {failure && (
        <Callout tone={failure.code === "err.app.delay" ? "warn" : "bad"}>{failure.message}</Callout>
      )}
      <form method="post" onSubmit={submit}>
        <Field
          label={copy.label}
          hint={copy.hint}
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          onChange={(event) => setCode(event.target.value.replace(/\D/g, "").slice(0, DIGITS))}
        />
      </form>
    </Dialog>
  );
}
