import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { removeAccount } from "#app/accounts/account-calls.ts";
import { ApiError } from "#app/api/call-api.ts";
import { Callout } from "#app/components/callout.tsx";
import { notify } from "#app/components/toasts.ts";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { accountPath } from "./account-path.ts";
import type { ConnectorAccount, ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.removal;

/** Removes an account and its backups once the user has typed its name. Other accounts stay. */
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
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();

  const close = () => {
    setFailure(null);
    onClose();
  };
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
    <TypedDialog
      isOpen={isOpen}
      onClose={close}
      title={copy.title}
      confirm={copy.confirm}
      expected={name}
      isBusy={isBusy}
      onConfirm={() => void remove()}
    >
      {failure && <Callout tone="bad">{failure}</Callout>}
      <Callout tone="warn">{copy.warning(name, app.accounts.length > 1)}</Callout>
    </TypedDialog>
  );
}
