import { callApi } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Callout } from "#app/components/callout.tsx";
import { notify } from "#app/components/toasts.ts";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { useLastOpen } from "#app/components/use-last-open.ts";
import { eraseCopy as copy } from "#app/copy/history.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";

export type EraseDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  itemId: string;
  /** The item's name, to be typed. */
  name: string;
  snapshotId: string;
  /** When the version was taken, in words. */
  time: string;
};

/** Erases a version once the owner has typed the item's name. */
export default function EraseDialog({ isOpen, onClose, itemId, name, ...shown }: EraseDialogProps) {
  const { snapshotId, time } = useLastOpen(isOpen, shown);
  const { isBusy, refusal, refuse, send } = useRequest();
  const refresh = useRefresh();
  const close = () => {
    refuse(null);
    onClose();
  };
  const erase = async () => {
    if (!(await send(() => callApi("POST versions/erase", { itemId, snapshotId })))) return;
    close();
    notify(copy.done);
    refresh();
  };
  return (
    <TypedDialog
      isOpen={isOpen}
      onClose={close}
      title={copy.title}
      confirm={copy.confirm}
      expected={name}
      isBusy={isBusy}
      onConfirm={() => void erase()}
    >
      {refusal && <Callout tone="bad">{refusal}</Callout>}
      <p>{copy.text(time)}</p>
      <p>{copy.later}</p>
      <p className="soft">{copy.bytes}</p>
    </TypedDialog>
  );
}
