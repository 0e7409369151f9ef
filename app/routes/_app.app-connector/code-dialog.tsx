import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { accountCopy } from "#app/copy/accounts.ts";
import { confirmCode, sendCode } from "./account-calls.ts";
import type { ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.code;

/** Takes the code that confirms an account, and has another one sent (spec P-209 to P-212, P-419). */
export default function CodeDialog({
  isOpen,
  onClose,
  app,
  onConfirmed,
}: {
  isOpen: boolean;
  onClose: () => void;
  app: ConnectorApp;
  onConfirmed: () => void;
}) {
  const [code, setCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);

  async function during(work: () => Promise<void>) {
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setFailure(cause);
    }
    setIsBusy(false);
  }
  const confirm = () =>
    during(async () => {
      await confirmCode(app.id, code);
      notify(copy.confirmed);
      onClose();
      onConfirmed();
    });
  const again = () => during(async () => notify(copy.sent(await sendCode(app.id))));

  const isMissing = failure?.code === "err.app.missing" && app.installUrl !== null;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      description={copy.text(app.connection?.name ?? "")}
      footer={
        <>
          <Button variant="ghost" isBusy={isBusy} onClick={() => void again()}>
            {copy.send}
          </Button>
          <Button
            variant="solid"
            isBusy={isBusy}
            reason={/^[0-9]{6}$/.test(code) ? null : copy.first}
            onClick={() => void confirm()}
          >
            {copy.confirm}
          </Button>
        </>
      }
    >
      {failure && (
        <Callout
          tone={failure.code === "err.app.delay" ? "warn" : "bad"}
          action={
            isMissing && (
              <a
                className="btn btn-outline btn-s"
                href={app.installUrl ?? ""}
                target="_blank"
                rel="noreferrer"
              >
                {accountCopy.install}
              </a>
            )
          }
        >
          {failure.message}
        </Callout>
      )}
      <Field
        label={copy.label}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        onChange={(event) => setCode(event.target.value.replace(/\D/g, "").slice(0, 6))}
      />
    </Dialog>
  );
}
