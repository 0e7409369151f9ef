import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { removeAccount } from "#app/components/account-calls.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { notify } from "#app/components/toasts.ts";
import { isConfirmed, TypedConfirm } from "#app/components/typed-confirm.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { accountPath } from "./account-path.ts";
import type { ConnectorAccount, ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.removal;

/** Takes an account out with all its backups, after its name was typed. The other accounts stay. */
export default function RemoveDialog({
  isOpen,
  onClose,
  app,
  account: { id, name },
}: {
  isOpen: boolean;
  onClose: () => void;
  app: ConnectorApp;
  account: ConnectorAccount;
}) {
  const [typed, setTyped] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();

  async function remove() {
    setIsBusy(true);
    setFailure(null);
    try {
      await removeAccount({ platform: app.id, connectionId: id });
      notify(copy.done(name));
      onClose();
      navigate(app.accounts.length > 1 ? accountPath(app.id, null) : "/app-connector");
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setFailure(cause.message);
    }
    setIsBusy(false);
  }

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {dialogCopy.cancel}
          </Button>
          <Button
            variant="danger"
            isBusy={isBusy}
            aria-disabled={!isConfirmed(name, typed)}
            onClick={() => void remove()}
          >
            {copy.confirm}
          </Button>
        </>
      }
    >
      {failure && <Callout tone="bad">{failure}</Callout>}
      <Callout tone="warn">{copy.warning(name, app.accounts.length > 1)}</Callout>
      <TypedConfirm expected={name} value={typed} onChange={setTyped} />
    </Dialog>
  );
}
