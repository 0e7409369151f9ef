import { Callout } from "#app/components/callout.tsx";
import { TypedDialog } from "#app/components/typed-dialog.tsx";
import { connectorCopy } from "#app/copy/connector.ts";
import { regionNames } from "#app/copy/regions.ts";
import type { Region } from "#core/kernel/platform-id.ts";

const copy = connectorCopy.move;

/** Warns that changing the region deletes every backup, and asks the user to type a confirmation (spec B-194). */
export default function MoveDialog({
  isOpen,
  onClose,
  name,
  region,
  isBusy,
  onMove,
}: {
  isOpen: boolean;
  onClose: () => void;
  name: string;
  region: Region;
  isBusy: boolean;
  onMove: () => void;
}) {
  return (
    <TypedDialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.title}
      confirm={copy.confirm}
      expected={name}
      isBusy={isBusy}
      onConfirm={onMove}
    >
      <Callout tone="warn">{copy.warning(name, regionNames[region])}</Callout>
    </TypedDialog>
  );
}
