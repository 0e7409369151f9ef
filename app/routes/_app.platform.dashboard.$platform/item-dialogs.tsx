import { canChooseByName } from "#app/accounts/account-calls.ts";
import AccountDialogs from "#app/accounts/account-dialogs.tsx";
import { type AccountNeed, needOf } from "#app/accounts/account-failure.ts";
import { lazyDialog } from "#app/components/dialog.tsx";
import ErrorDialog from "#app/components/error-dialog.tsx";
import { GuideDialog } from "#app/components/guide-dialog.tsx";
import { UpgradeDialog } from "#app/components/upgrade-dialog.tsx";
import { placeGuideCopy } from "#app/copy/item-dialogs.ts";
import RestoreDialog from "#app/restore/restore-dialog.tsx";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import { AddItemsDialog } from "./add-items-dialog.tsx";
import { AddPlaceDialog } from "./add-place-dialog.tsx";
import { ChooseAccountDialog } from "./choose-account-dialog.tsx";
import { ConsentGuideDialog } from "./consent-guide-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import type { ListFrame } from "./list-frame.ts";
import type { OpenDialog } from "./open-dialog.ts";

const StorageDialog = lazyDialog(() => import("./storage-dialog.tsx"), "m");

/** All dialogs of the list. */
export default function ItemDialogs({
  dialog,
  onClose,
  onOpen,
  page,
  query,
  words,
  list,
  actions,
  refetch,
  onDeleted,
  timeZone,
  now,
}: Omit<ListFrame, "go"> & {
  /** True when any dialog is open. */
  isOpen: boolean;
  dialog: OpenDialog | null;
  onClose: () => void;
  refetch: () => void;
  onDeleted: () => void;
  timeZone: string;
}) {
  const of = { onClose, page, query, words };
  const guide = uis[page.platform]?.placeGuide;
  const failure = dialog?.kind === "error" ? dialog.failure : null;
  const need = failure && needOf({ message: failure.text, ...failure });
  return (
    <>
      <AccountDialogs
        isOpen={need !== null}
        need={need}
        onNeed={(next) => onOpen(dialogOf(next))}
        onClose={onClose}
        account={{ platform: page.platform, connectionId: page.connection.id }}
        accountName={page.connection.name}
        installUrl={page.installUrl}
        onConfirmed={refetch}
      />
      <AddItemsDialog
        isOpen={dialog?.kind === "add-items"}
        {...of}
        quota={list.quota}
        onAdded={refetch}
        onWarning={(failure) => onOpen({ kind: "error", failure })}
      />
      <ChooseAccountDialog
        isOpen={dialog?.kind === "choose-account" && canChooseByName(page.platform)}
        onClose={onClose}
        platform={page.platform}
        label={page.label}
        names={dialog?.kind === "choose-account" ? dialog.names : []}
      />
      <AddPlaceDialog isOpen={dialog?.kind === "add-place"} {...of} />
      <DeleteDialog
        items={dialog?.kind === "delete" ? dialog.items : []}
        onClose={onClose}
        words={words}
        canPause={list.canUserBackup}
        actions={actions}
        onDone={onDeleted}
      />
      {dialog?.kind === "restore" && (
        <RestoreDialog
          isOpen
          onClose={onClose}
          item={dialog.item}
          snapshotId="latest"
          places={page.places}
          timeZone={timeZone}
          now={now}
          onStarted={refetch}
        />
      )}
      <ErrorDialog isOpen={failure !== null && need === null} onClose={onClose} failure={failure} />
      <UpgradeDialog isOpen={dialog?.kind === "upgrade"} onClose={onClose} platform={page.platform} />
      <StorageDialog
        isOpen={dialog?.kind === "storage"}
        onClose={onClose}
        platform={page.platform}
        timeZone={timeZone}
        now={now}
      />
      <ConsentGuideDialog isOpen={dialog?.kind === "consent-guide"} onClose={onClose} page={page} />
      {guide && (
        <GuideDialog
          isOpen={dialog?.kind === "place-guide"}
          onClose={onClose}
          guide={guide}
          note={placeGuideCopy.note}
        />
      )}
    </>
  );
}

/** Converts an account's need back to the error it came from, which opens the matching dialog. */
function dialogOf(need: AccountNeed): OpenDialog {
  const failure =
    need.kind === "app"
      ? { text: need.text, code: "err.app.missing" }
      : { text: "", code: "err.connection.unconfirmed" };
  return { kind: "error", failure };
}
