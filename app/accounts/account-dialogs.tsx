import type { CalledAccount } from "#app/api/call-platform.ts";
import CodeDialog from "./account-code-dialog.tsx";
import type { AccountNeed } from "./account-failure.ts";
import { AppMissingDialog } from "./app-missing-dialog.tsx";

/** Dialogs for what an account still needs: its code, or the platform's app. Used by the connector and the lists. */
export default function AccountDialogs({
  need,
  onNeed,
  onClose,
  account,
  accountName,
  installUrl,
  onConfirmed,
}: {
  /** True when one of the dialogs is open. */
  isOpen: boolean;
  need: AccountNeed | null;
  onNeed: (need: AccountNeed) => void;
  onClose: () => void;
  account: CalledAccount;
  accountName: string;
  installUrl: string | null;
  onConfirmed: () => void;
}) {
  return (
    <>
      <CodeDialog
        isOpen={need?.kind === "code"}
        onClose={onClose}
        account={account}
        accountName={accountName}
        onNeed={onNeed}
        onConfirmed={onConfirmed}
      />
      <AppMissingDialog
        missing={need?.kind === "app" ? need : null}
        installUrl={installUrl}
        onClose={onClose}
      />
    </>
  );
}
