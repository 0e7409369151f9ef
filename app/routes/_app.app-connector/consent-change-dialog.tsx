import { changeConsentUrl } from "#app/accounts/account-calls.ts";
import { Callout } from "#app/components/callout.tsx";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { useLeaveFor } from "#app/embedding/use-leave-for.ts";
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
  const { leave, isBusy, refusal } = useLeaveFor();
  return (
    <TypedDialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.changeTitle}
      confirm={copy.goOn(app.label)}
      expected={account.name}
      isBusy={isBusy}
      onConfirm={() => leave(() => changeConsentUrl({ platform: app.id, connectionId: account.id }))}
    >
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <Callout tone="warn">{picking.changeWarning(account.name)}</Callout>
    </TypedDialog>
  );
}
