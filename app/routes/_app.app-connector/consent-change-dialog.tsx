import { changeConsentUrl } from "#app/accounts/account-calls.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Callout } from "#app/components/callout.tsx";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import type { PickingWords } from "#connectors/contract/platform-ui.ts";
import type { ConnectorAccount, ConnectorApp } from "./queries.server.ts";

const copy = accountCopy.form;

/**
 * Changes an account whose consent covers what is picked at the platform: nothing is named here, and what is picked next
 * takes the place of what was backed up (spec P-230). Typed like every loss of backups (spec P-231).
 */
export default function ConsentChangeDialog({
  isOpen,
  onClose,
  app,
  account,
  picking,
}: {
  isOpen: boolean;
  onClose: () => void;
  app: ConnectorApp;
  account: ConnectorAccount;
  picking: PickingWords;
}) {
  const { isBusy, isDone, refusal, send } = useRequest();
  const change = () =>
    send(async () =>
      window.location.assign(await changeConsentUrl({ platform: app.id, connectionId: account.id })),
    );
  return (
    <TypedDialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.changeTitle}
      confirm={copy.goOn(app.label)}
      expected={account.name}
      isBusy={isBusy || isDone}
      onConfirm={() => void change()}
    >
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <Callout tone="warn">{picking.changeWarning(account.name)}</Callout>
    </TypedDialog>
  );
}
