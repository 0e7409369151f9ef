import { useNavigate } from "@remix-run/react";
import { removeAccount } from "#app/accounts/account-calls.ts";
import { useRequest } from "#app/api/use-request.ts";
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
  const { isBusy, refusal, refuse, send } = useRequest();
  const navigate = useNavigate();

  const close = () => {
    refuse(null);
    onClose();
  };
  const remove = () =>
    send(async () => {
      await removeAccount({ platform: app.id, connectionId: id });
      notify(copy.done(name));
      onClose();
      navigate(app.accounts.length > 1 ? accountPath(app.id, null) : "/app-connector");
    });

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
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <Callout tone="warn">{copy.warning(name, app.accounts.length > 1)}</Callout>
    </TypedDialog>
  );
}
