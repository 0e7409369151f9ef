import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { isConfirmed, TypedConfirm } from "#app/components/typed-confirm.tsx";
import { connectorCopy } from "#app/copy/connector.ts";
import { regionNames } from "#app/copy/regions.ts";
import { dialogCopy } from "#app/copy/shared.ts";
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
  const [typed, setTyped] = useState("");
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
          <Button variant="danger" isBusy={isBusy} aria-disabled={!isConfirmed(name, typed)} onClick={onMove}>
            {copy.confirm}
          </Button>
        </>
      }
    >
      <Callout tone="warn">{copy.warning(name, regionNames[region])}</Callout>
      <TypedConfirm expected={name} value={typed} onChange={setTyped} />
    </Dialog>
  );
}
